"""What single device modules offer to others and want from them, before they are linked."""

from collections.abc import Iterable

from dovetail.ir import Module
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
