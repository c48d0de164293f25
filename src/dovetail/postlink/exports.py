"""Exported and undefined functions of device modules, before they are linked.

Without relocatable device code, sources are not linked with each other, so a call of a function
that only another source defines is an error. Otherwise it would become an import.
"""

from collections.abc import Iterable, Iterator, Sequence

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.facts import Facts, Place
from dovetail.ir import Module, demangle
from dovetail.postlink.aspect_declarations import INTERNAL
from dovetail.postlink.link import KERNEL_CONVENTIONS, functions_of, has_definition, undefined_in


def has_code(module: Module) -> bool:
    """Return whether a module defines functions or variables."""
    has_variables = any(not variable.is_declaration for variable in module.global_variables())
    return has_variables or any(map(has_definition, functions_of(module)))


def exported_functions(module: Module) -> tuple[str, ...]:
    """Return the symbols of functions that other modules can call."""
    return tuple(
        function.name
        for function in functions_of(module)
        if has_definition(function)
        and function.linkage not in INTERNAL
        and function.calling_convention not in KERNEL_CONVENTIONS
    )


def undefined_functions(modules: Iterable[Module]) -> frozenset[str]:
    """Return the symbols of functions that some of the modules declare and none defines."""
    return undefined_in([functions_of(module) for module in modules])


def refuse_calls_between(groups: Sequence[Sequence[DeviceModule]]) -> None:
    """Raise `CompileError` if a group calls a function that only another group defines."""
    defined_in = {
        symbol: device.module.name
        for group in groups
        for device in group
        for symbol in (*exported_functions(device.module), *_kernels(device.facts))
    }
    for group in groups:
        missing = undefined_functions(device.module for device in group) & defined_in.keys()
        for symbol in sorted(missing):
            raise _cross_source_error(group, symbol, defined_in[symbol])


def _kernels(facts: Facts) -> Iterator[str]:
    """Yield plain functions that are kernels; a module may contain only their entry points."""
    return (each.symbol for each in facts.kernels if each.form == "function" and not each.internal)


def _cross_source_error(group: Sequence[DeviceModule], symbol: str, source: str) -> CompileError:
    places = (_place_of_call(device.facts, symbol) for device in group)
    place = next(filter(None, places), None) or group[0].module.name
    (name,) = demangle([symbol])
    return CompileError(
        f"{place}: error: '{name}' is defined in '{source}', but -fno-sycl-rdc forbids calls to"
        " device code in other sources",
        hint="remove -fno-sycl-rdc, or define the function inline in a header",
    )


def _place_of_call(facts: Facts, symbol: str) -> Place | None:
    called = [number for number, fact in enumerate(facts.functions) if fact.symbol == symbol]
    calls = (call for fact in facts.functions for call in fact.calls if call.callee in called)
    return next((call.place for call in calls), None)
