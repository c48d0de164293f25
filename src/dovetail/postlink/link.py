"""Link the device modules of all sources into one."""

from collections.abc import Sequence

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.facts import join_facts
from dovetail.ir import demangle


def link_modules(modules: Sequence[DeviceModule]) -> DeviceModule:
    """One module with everything that the given ones hold; the given ones are used up."""
    _refuse_second_definitions(modules)
    first, *others = modules
    for other in others:
        first.module.link(other.module)
    return DeviceModule(first.module, join_facts([device.facts for device in modules]))


def _refuse_second_definitions(modules: Sequence[DeviceModule]) -> None:
    """LLVM's linker would name a mangled symbol and no source."""
    defined_in: dict[str, str] = {}
    for device in modules:
        source = device.module.name
        for symbol in (*device.module.functions(), *device.module.global_variables()):
            if symbol.is_declaration or symbol.linkage != "external":
                continue
            if symbol.name in defined_in:
                raise _second_definition(device, symbol.name, defined_in[symbol.name])
            defined_in[symbol.name] = source


def _second_definition(device: DeviceModule, symbol: str, first: str) -> CompileError:
    for kernel in device.facts.kernels:
        if kernel.symbol == symbol and kernel.form == "entry":
            return CompileError(
                f"{kernel.file}:{kernel.line}: error: '{first}' has another kernel that C++ calls"
                f" '{kernel.name}'; both are in a static function or an unnamed namespace",
                hint="give the kernels names: parallel_for<class one_of_its_own>(...)",
            )
    (name,) = demangle([symbol])
    return CompileError(
        f"{device.module.name}: error: '{name}' is also defined in '{first}'",
        hint="define it in one source, or make it inline or static",
    )
