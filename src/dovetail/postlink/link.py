"""Link the device modules of all inputs into one, and keep what linking would lose.

LLVM's linker drops a declaration, and what it promised, as soon as it has the definition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dovetail.analysis import Analysis
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import MODULE_ID, counts_what_is_written, declared_aspects
from dovetail.errors import CompileError
from dovetail.facts import Facts, KernelFact, join_facts
from dovetail.ir import Module, demangle

KERNEL_CONVENTIONS = ("spir_kernel", "ptx_kernel", "amdgpu_kernel")

_INTERNAL = ("internal", "private")
_KEPT = {"linkonce": "weak", "linkonce_odr": "weak_odr"}
"""By the linkage of what LLVM's linker leaves behind if nothing refers to it, what it takes."""

_INPUT = "dovetail.input"
"""The metadata that says where an internal function is from while modules are linked."""


@dataclass(frozen=True)
class Promise:
    """What a function declares in one of the inputs."""

    input: str
    symbol: str
    """Its name there; linking renames internal functions whose names clash."""
    is_definition: bool
    aspects: int
    """As bits."""


@dataclass(frozen=True)
class Root:
    """A kernel, or a function that other programs can call: where code is entered."""

    symbol: str
    is_kernel: bool
    source: str


@dataclass(frozen=True)
class LinkedProgram:
    """Everything that the inputs hold, in one module."""

    module: Module
    inputs: tuple[str, ...]
    """The names of what was linked."""
    facts: Facts
    """All sources' together."""
    facts_by_input: tuple[Facts, ...]
    is_read_as_written: bool
    """Whether calls count as the sources have them, though optimisation may have removed them."""
    promises: dict[str, tuple[Promise, ...]]
    """What functions declare, in whichever inputs they do."""
    roots: tuple[Root, ...]
    """Kernels and SYCL_EXTERNAL functions, in the order of the inputs."""

    @cached_property
    def analysis(self) -> Analysis:
        """The calls as written, with their places."""
        return Analysis.of(self.facts_by_input)

    @cached_property
    def kernels(self) -> dict[str, KernelFact]:
        """What is known of kernels, by the symbols of their entry points."""
        return {kernel.entry_symbol: kernel for kernel in self.facts.kernels}


def link_modules(modules: Sequence[DeviceModule]) -> LinkedProgram:
    """One module with everything that the given ones hold; the given ones are used up."""
    if len(modules) > 1:
        _refuse_second_definitions(modules)
    facts = tuple(device.facts for device in modules)
    inputs = tuple(device.module.name for device in modules)
    as_written = all(counts_what_is_written(device.module) for device in modules)
    promises = _promises(modules)
    roots = _roots(modules)
    for number, device in enumerate(modules):
        _keep_entry_points(device.module, roots)
        _mark_internal(device.module, number)
    first, *others = modules
    for other in others:
        first.module.link(other.module)
    promises |= _internal_promises(first.module, inputs)
    return LinkedProgram(
        first.module, inputs, join_facts(facts), facts, as_written, promises, tuple(roots.values())
    )


def _keep_entry_points(module: Module, roots: Mapping[str, Root]) -> None:
    """Other programs may call inline functions that nothing here does."""
    module.set_linkage(
        {
            f.name: _KEPT[f.linkage]
            for f in module.functions()
            if f.name in roots and f.linkage in _KEPT
        }
    )


def _mark_internal(module: Module, number: int) -> None:
    """Let internal functions that declare something be found again under other names."""
    declared = declared_aspects(module)
    internal = [f.name for f in module.functions() if f.linkage in _INTERNAL]
    nodes = {name: [number, name] for name in internal if name in declared}
    # What the file itself has under that name is none of ours.
    module.set_function_metadata(_INPUT, dict.fromkeys(module.function_metadata(_INPUT)))
    module.set_function_metadata(_INPUT, nodes)


def _internal_promises(module: Module, inputs: Sequence[str]) -> dict[str, tuple[Promise, ...]]:
    """What internal functions declare, by the names that they have now."""
    declared = declared_aspects(module)
    marked = module.function_metadata(_INPUT)
    module.set_function_metadata(_INPUT, dict.fromkeys(marked))
    promises: dict[str, tuple[Promise, ...]] = {}
    for symbol, node in marked.items():
        match node:
            case [int() as number, str() as name]:
                promises[symbol] = (Promise(inputs[number], name, True, declared[symbol]),)
            case _:
                raise AssertionError("only we write such metadata")
    return promises


def _promises(modules: Sequence[DeviceModule]) -> dict[str, tuple[Promise, ...]]:
    promises: dict[str, tuple[Promise, ...]] = {}
    for device in modules:
        declared = declared_aspects(device.module)
        if not declared:
            continue
        for function in device.module.functions():
            symbol = function.name
            if symbol in declared and function.linkage not in _INTERNAL:
                promise = Promise(
                    device.module.name, symbol, not function.is_declaration, declared[symbol]
                )
                promises[symbol] = (*promises.get(symbol, ()), promise)
    return promises


def _roots(modules: Sequence[DeviceModule]) -> dict[str, Root]:
    """Each once, though several inputs may have it; its source by its attribute, else the input."""
    roots: dict[str, Root] = {}
    for device in modules:
        named = device.module.function_attributes(MODULE_ID)
        for function in device.module.functions():
            symbol = function.name
            is_kernel = function.calling_convention in KERNEL_CONVENTIONS
            if not function.is_declaration and (is_kernel or symbol in named):
                source = named.get(symbol) or device.module.name
                roots.setdefault(symbol, Root(symbol, is_kernel, source))
    return roots


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
