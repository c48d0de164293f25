"""What single device modules offer to others and want from them, before they are linked.

Without relocatable device code, nothing is linked between sources: none may call what only another
one defines. What is left undefined would count as an import, and be looked for as the program runs.
"""

from collections.abc import Iterable, Iterator, Sequence

from dovetail.artifacts import DeviceModule
from dovetail.errors import CompileError
from dovetail.facts import Facts, Place
from dovetail.ir import Module, demangle
from dovetail.postlink.link import KERNEL_CONVENTIONS, functions_of, is_here, undefined_in
from dovetail.postlink.promises import INTERNAL


def holds_code(module: Module) -> bool:
    """Whether there is anything that a program would need."""
    has_variables = any(not variable.is_declaration for variable in module.global_variables())
    return has_variables or any(map(is_here, functions_of(module)))


def exported_functions(module: Module) -> tuple[str, ...]:
    """The symbols of functions that other modules can call."""
    return tuple(
        function.name
        for function in functions_of(module)
        if is_here(function)
        and function.linkage not in INTERNAL
        and function.calling_convention not in KERNEL_CONVENTIONS
    )


def undefined_functions(modules: Iterable[Module]) -> frozenset[str]:
    """The symbols of functions that some of the modules declare and none defines."""
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
            raise _between(group, symbol, defined_in[symbol])


def _kernels(facts: Facts) -> Iterator[str]:
    """Functions that are kernels: a module may have no more of them than their entry points."""
    return (each.symbol for each in facts.kernels if each.form == "function" and not each.internal)


def _between(group: Sequence[DeviceModule], symbol: str, source: str) -> CompileError:
    places = (_place_of_call(device.facts, symbol) for device in group)
    place = next(filter(None, places), None) or group[0].module.name
    (name,) = demangle([symbol])
    return CompileError(
        f"{place}: error: '{name}' is defined in '{source}', and with -fno-sycl-rdc the device code"
        " of each source stands by itself",
        hint="leave -fno-sycl-rdc out, or define the function inline in a header",
    )


def _place_of_call(facts: Facts, symbol: str) -> Place | None:
    called = [number for number, fact in enumerate(facts.functions) if fact.symbol == symbol]
    calls = (call for fact in facts.functions for call in fact.calls if call.callee in called)
    return next((call.place for call in calls), None)
