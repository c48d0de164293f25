"""Link the device modules of all inputs into one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dovetail.analysis import Analysis
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import CONDITIONAL_CALLER, MODULE_ID, counts_what_is_written
from dovetail.errors import CompileError
from dovetail.facts import Facts, KernelFact, join_facts
from dovetail.ir import Function, Module, demangle
from dovetail.postlink.indirect_targets import CALLABLE, callable_without_reference
from dovetail.postlink.kernel_attributes import add_metadata_of_attributes
from dovetail.postlink.promises import (
    INTERNAL,
    DeclaredAspects,
    Promises,
    marked_promises,
    promises_of,
)

KERNEL_CONVENTIONS = ("spir_kernel", "ptx_kernel", "amdgpu_kernel")

_UNREFERENCED = {"linkonce": "weak", "linkonce_odr": "weak_odr"}
_KEPT = {**_UNREFERENCED, **dict.fromkeys(INTERNAL, "external")}
"""By the linkage of what LLVM's linker leaves behind or renames, what it takes as it is."""

_INLINE = ("linkonce", "linkonce_odr", "weak", "weak_odr")


class Root(NamedTuple):
    """A kernel, or a function that other programs can call: where code is entered."""

    symbol: str
    is_kernel: bool
    source: str
    is_inline: bool = False
    """Whether other programs may have the same definition."""


@dataclass(frozen=True)
class LinkedProgram:
    """Everything that the inputs hold, in one module."""

    module: Module
    inputs: tuple[str, ...]
    """The names of what was linked."""
    facts: Facts
    """All sources' together."""
    facts_by_input: tuple[Facts, ...]
    written_facts: tuple[Facts, ...]
    """Of those inputs whose calls count as written, though optimisation may have removed them."""
    promises: Promises
    """What functions declare, in whichever inputs they do."""
    roots: tuple[Root, ...]
    """Kernels and SYCL_EXTERNAL functions, in the order of the inputs."""
    undefined: frozenset[str]
    """Functions that are declared, and defined in no input."""
    decided_for: tuple[str, ...] = ()
    """The names of targets for which all conditions in it have been decided, if they have."""

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
    listings = [functions_of(device.module) for device in modules]
    for device, listed in zip(modules, listings, strict=True):
        kernels = {f.name for f in listed if f.calling_convention in KERNEL_CONVENTIONS}
        add_metadata_of_attributes(device.module, kernels)
    facts = tuple(device.facts for device in modules)
    inputs = tuple(device.module.name for device in modules)
    written = tuple(d.facts for d in modules if counts_what_is_written(d.module))
    roots = _roots(modules, listings)
    declared = [
        DeclaredAspects.of(d.module, listed) for d, listed in zip(modules, listings, strict=True)
    ]
    promises = promises_of(declared)
    first, *others = modules
    if others:
        _refuse_second_definitions(modules, listings, roots)
        for number, (device, listed) in enumerate(zip(modules, listings, strict=True)):
            _keep_entry_points(device.module, listed, roots)
            declared[number].mark_internal(number)
        for other in others:
            first.module.link(other.module)
        promises |= marked_promises(first.module, inputs)
    # What makes conditional calls is never defined, and gone when images are made.
    conditional = first.module.function_attributes(CONDITIONAL_CALLER).keys()
    return LinkedProgram(
        module=first.module,
        inputs=inputs,
        facts=join_facts(facts),
        facts_by_input=facts,
        written_facts=written,
        promises=promises,
        roots=tuple(roots.values()),
        undefined=undefined_in(listings) - conditional,
    )


def functions_of(module: Module) -> list[Function]:
    """All of them, with names: what has none could not be spoken of."""
    functions = module.functions()
    if all(function.name for function in functions):
        return functions
    module.run_passes("name-anon-globals")
    return module.functions()


def _roots(
    modules: Sequence[DeviceModule], listings: Sequence[Sequence[Function]]
) -> dict[str, Root]:
    """Each once, though several inputs may have it; its source by its attribute, else the input."""
    roots: dict[str, Root] = {}
    for device, functions in zip(modules, listings, strict=True):
        named = device.module.function_attributes(MODULE_ID)
        # A virtual function is in the images of those that call it, and no other program's.
        virtual = device.module.function_attributes(CALLABLE)
        for function in functions:
            symbol = function.name
            is_kernel = function.calling_convention in KERNEL_CONVENTIONS
            is_exported = symbol in named and symbol not in virtual
            if is_here(function) and (is_kernel or is_exported):
                source = named.get(symbol) or device.module.name
                is_inline = function.linkage in _INLINE
                roots.setdefault(symbol, Root(symbol, is_kernel, source, is_inline))
    return roots


def is_here(function: Function) -> bool:
    """Whether the input has the function, not only its declaration or a copy for inlining."""
    return not function.is_declaration and function.linkage != "available_externally"


def undefined_in(listings: Sequence[Sequence[Function]]) -> frozenset[str]:
    """The functions that some of the listed modules declare and none defines."""
    functions = [function for listed in listings for function in listed]
    declared = {function.name for function in functions if not is_here(function)}
    if not declared:
        return frozenset()
    defined = (f for f in functions if is_here(f) and f.linkage not in INTERNAL)
    return frozenset(declared - {function.name for function in defined})


def _keep_entry_points(
    module: Module, functions: Sequence[Function], roots: dict[str, Root]
) -> None:
    """Let LLVM's linker keep what is known by its name or called through pointers."""
    called = callable_without_reference(module)
    module.set_linkage(
        {
            function.name: _KEPT[function.linkage]
            for function in functions
            if (function.linkage in _KEPT and function.name in roots)
            or (function.linkage in _UNREFERENCED and function.name in called)
        }
    )


def _refuse_second_definitions(
    modules: Sequence[DeviceModule],
    listings: Sequence[Sequence[Function]],
    roots: dict[str, Root],
) -> None:
    """LLVM's linker would name a mangled symbol and no source."""
    defined_in: dict[str, str] = {}
    for device, functions in zip(modules, listings, strict=True):
        source = device.module.name
        for symbol in (*functions, *device.module.global_variables()):
            is_entry = symbol.linkage in INTERNAL and symbol.name in roots
            if symbol.is_declaration or not (symbol.linkage == "external" or is_entry):
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
    written = {kernel.entry_symbol: kernel.symbol for kernel in device.facts.kernels}
    (name,) = demangle([written.get(symbol, symbol)])
    return CompileError(
        f"{device.module.name}: error: '{name}' is also defined in '{first}'",
        hint="define it in one source, or make it inline or static",
    )
