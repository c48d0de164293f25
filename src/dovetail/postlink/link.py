"""Link the device modules of all sources into one."""

from collections.abc import Sequence

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.ir import demangle


def link_modules(modules: Sequence[DeviceModule]) -> DeviceModule:
    """One module with everything that the given ones hold; the given ones are used up."""
    _refuse_second_definitions(modules)
    first, *others = modules
    facts = first.facts
    for other in others:
        first.module.link(other.module)
        facts = facts.joined(other.facts)
    return DeviceModule(first.module, facts)


def _refuse_second_definitions(modules: Sequence[DeviceModule]) -> None:
    """LLVM's linker would name a mangled symbol and no source."""
    defined_in: dict[str, str] = {}
    for device in modules:
        source = device.module.name
        for symbol in (*device.module.functions(), *device.module.global_variables()):
            if symbol.is_declaration or symbol.linkage != "external":
                continue
            if symbol.name in defined_in:
                (name,) = demangle([symbol.name])
                first = defined_in[symbol.name]
                raise CompileError(
                    f"{source}: error: '{name}' is also defined in '{first}'",
                    hint="define it in one source, or make it inline or static",
                )
            defined_in[symbol.name] = source
