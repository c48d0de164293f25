"""Link the device modules of all inputs into one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dovetail.analysis import Analysis
from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import CONDITIONAL_CALLER, MODULE_ID, counts_written_uses
from dovetail.errors import CompileError
from dovetail.facts import Facts, KernelFact, join_facts
from dovetail.ir import Function, Module, demangle
from dovetail.postlink.aspect_declarations import (
    INTERNAL,
    AspectDeclarations,
    InputDeclarations,
    declarations_in,
    internal_declarations,
)
from dovetail.postlink.indirect_targets import CALLABLE, callable_without_reference
from dovetail.postlink.kernel_attributes import add_metadata_of_attributes

KERNEL_CONVENTIONS = ("spir_kernel", "ptx_kernel", "amdgpu_kernel")

_UNREFERENCED = {"linkonce": "weak", "linkonce_odr": "weak_odr"}
_KEPT = {**_UNREFERENCED, **dict.fromkeys(INTERNAL, "external")}
"""Linkages whose symbols LLVM's linker drops or renames, mapped to ones that it keeps unchanged."""

_INLINE = ("linkonce", "linkonce_odr", "weak", "weak_odr")


class Root(NamedTuple):
    """An entry point: a kernel, or a function that other programs can call."""

    symbol: str
    is_kernel: bool
    source: str
    is_inline: bool = False
    """Whether other programs may contain the same definition."""


@dataclass(frozen=True)
class LinkedProgram:
    """The inputs, linked into one module."""

    module: Module
    inputs: tuple[str, ...]
    """The names of the inputs."""
    facts: Facts
    """The facts about all sources."""
    facts_by_input: tuple[Facts, ...]
    written_facts: tuple[Facts, ...]
    """The facts about inputs whose calls count even if optimization has removed them."""
    declarations: AspectDeclarations
    """The aspects that functions declare, in all inputs."""
    roots: tuple[Root, ...]
    """Kernels and SYCL_EXTERNAL functions, in the order of the inputs."""
    undefined: frozenset[str]
    """Functions that are declared but not defined in any input."""
    resolved_for: tuple[str, ...] = ()
    """The targets for which conditions have been resolved; empty if they have not."""

    @cached_property
    def analysis(self) -> Analysis:
        """The analysis of the calls in the sources."""
        return Analysis.of(self.facts_by_input)

    @cached_property
    def kernels(self) -> dict[str, KernelFact]:
        """The facts about kernels, by the symbols of their entry points."""
        return {kernel.entry_symbol: kernel for kernel in self.facts.kernels}


def link_modules(modules: Sequence[DeviceModule]) -> LinkedProgram:
    """Link modules into one; the given modules must not be used afterwards."""
    listings = [functions_of(device.module) for device in modules]
    for device, listed in zip(modules, listings, strict=True):
        kernels = {f.name for f in listed if f.calling_convention in KERNEL_CONVENTIONS}
        add_metadata_of_attributes(device.module, kernels)
    facts = tuple(device.facts for device in modules)
    inputs = tuple(device.module.name for device in modules)
    written = tuple(d.facts for d in modules if counts_written_uses(d.module))
    roots = _roots(modules, listings)
    declared = [
        InputDeclarations.of(d.module, listed) for d, listed in zip(modules, listings, strict=True)
    ]
    declarations = declarations_in(declared)
    first, *others = modules
    if others:
        _refuse_second_definitions(modules, listings, roots)
        for number, (device, listed) in enumerate(zip(modules, listings, strict=True)):
            _keep_entry_points(device.module, listed, roots)
            declared[number].mark_internal(number)
        for other in others:
            first.module.link(other.module)
        declarations |= internal_declarations(first.module, inputs)
    # The functions that represent conditional calls are declarations, and do not remain in images.
    conditional = first.module.function_attributes(CONDITIONAL_CALLER).keys()
    return LinkedProgram(
        module=first.module,
        inputs=inputs,
        facts=join_facts(facts),
        facts_by_input=facts,
        written_facts=written,
        declarations=declarations,
        roots=tuple(roots.values()),
        undefined=undefined_in(listings) - conditional,
    )


def functions_of(module: Module) -> list[Function]:
    """Return all functions of a module; unnamed ones are named first."""
    functions = module.functions()
    if all(function.name for function in functions):
        return functions
    module.run_passes("name-anon-globals")
    return module.functions()


def _roots(
    modules: Sequence[DeviceModule], listings: Sequence[Sequence[Function]]
) -> dict[str, Root]:
    """Return the entry points by symbol, with the source that the attribute or input names."""
    roots: dict[str, Root] = {}
    for device, functions in zip(modules, listings, strict=True):
        named = device.module.function_attributes(MODULE_ID)
        # Virtual functions are in the images of their callers, and are not exported.
        virtual = device.module.function_attributes(CALLABLE)
        for function in functions:
            symbol = function.name
            is_kernel = function.calling_convention in KERNEL_CONVENTIONS
            is_exported = symbol in named and symbol not in virtual
            if has_definition(function) and (is_kernel or is_exported):
                source = named.get(symbol) or device.module.name
                is_inline = function.linkage in _INLINE
                roots.setdefault(symbol, Root(symbol, is_kernel, source, is_inline))
    return roots


def has_definition(function: Function) -> bool:
    """Return whether a function is neither a declaration nor a copy for inlining."""
    return not function.is_declaration and function.linkage != "available_externally"


def undefined_in(listings: Sequence[Sequence[Function]]) -> frozenset[str]:
    """Return the functions that some of the listed modules declare and none defines."""
    functions = [function for listed in listings for function in listed]
    declared = {function.name for function in functions if not has_definition(function)}
    if not declared:
        return frozenset()
    defined = (f for f in functions if has_definition(f) and f.linkage not in INTERNAL)
    return frozenset(declared - {function.name for function in defined})


def _keep_entry_points(
    module: Module, functions: Sequence[Function], roots: dict[str, Root]
) -> None:
    """Change linkages so that LLVM's linker keeps entry points and targets of indirect calls."""
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
    """Raise `CompileError` if two modules define a symbol; LLVM would not name the sources."""
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
    """Return the error about a symbol that two sources define."""
    for kernel in device.facts.kernels:
        if kernel.symbol == symbol and kernel.form == "entry":
            return CompileError(
                f"{kernel.file}:{kernel.line}: error: '{first}' has another kernel with the name"
                f" '{kernel.name}'; both are in a static function or an unnamed namespace",
                hint="give the kernels unique names: parallel_for<class name>(...)",
            )
    written = {kernel.entry_symbol: kernel.symbol for kernel in device.facts.kernels}
    (name,) = demangle([written.get(symbol, symbol)])
    return CompileError(
        f"{device.module.name}: error: '{name}' is also defined in '{first}'",
        hint="define it in one source, or make it inline or static",
    )
