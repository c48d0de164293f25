"""The functions that conditional calls call: one for each pair of action and condition.

Whether a function is the action or empty is decided when the program runs, by linking one of two
images, or when code is generated for a device. So each function belongs to one condition, and is
not called unconditionally. An action that satisfies this keeps its name; others are copied as
`NAME.2`, `NAME.3` and so on, unique in the program.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from dovetail.device_metadata import CONDITIONAL_CALLER, GuardedCall, conditional_calls
from dovetail.errors import CompileError
from dovetail.ir import Module, demangle
from dovetail.postlink.link import LinkedProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition, Normal

OWN_IMAGE = "dovetail-own-image"
"""The attribute of functions that `Module.extract` does not copy into their callers' images."""

_FIRST_COPY_NUMBER = 2


class Action(NamedTuple):
    """A function that is called under one condition."""

    origin: str
    """The symbol of the action in the linked program."""
    condition: "Condition"
    symbol: str
    """Its symbol in images: `origin`, or that of a copy."""


def resolve_constant_conditions(module: Module) -> list[GuardedCall]:
    """Replace conditional calls whose conditions are always true or false; return the others."""
    calls = conditional_calls(module)
    constant = {
        (call.action, call.operands): call.action if call.condition else None
        for call in calls
        if isinstance(call.condition, bool)
    }
    if constant:
        module.rewrite_conditional_calls(CONDITIONAL_CALLER, constant)
    return [call for call in calls if not isinstance(call.condition, bool)]


def find_actions(
    calls: Iterable[GuardedCall], plain: Collection[str], taken: Collection[str]
) -> list[Action]:
    """Return the actions in the order of their first calls.

    `plain` are the functions that are also called or referred to unconditionally or by other
    programs; `taken` are all symbols of the program.
    """
    guarded = list(dict.fromkeys((call.action, call.condition) for call in calls))
    conditions_of = Counter(origin for origin, _ in guarded)
    names = set(taken)
    actions: list[Action] = []
    for origin, condition in guarded:
        assert not isinstance(condition, bool), "removed by resolve_constant_conditions"
        keeps_name = conditions_of[origin] == 1 and origin not in plain
        symbol = origin if keeps_name else _copy_name(origin, names)
        names.add(symbol)
        actions.append(Action(origin, condition, symbol))
    return actions


def _copy_name(origin: str, taken: Collection[str]) -> str:
    number = _FIRST_COPY_NUMBER
    while f"{origin}.{number}" in taken:
        number += 1
    return f"{origin}.{number}"


def refuse_undefined_actions(linked: LinkedProgram, actions: Sequence[Action]) -> None:
    """Raise `CompileError` if an action is not defined in this program."""
    for action in actions:
        if action.origin in linked.undefined:
            (name,) = demangle([action.origin])
            raise CompileError(
                f"{linked.inputs[0]}: error: '{name}' is called conditionally, but no source"
                " defines it",
                hint="add the source that defines it, or pass a lambda that calls it",
            )


def call_actions_directly(
    module: Module, calls: Sequence[GuardedCall], actions: Sequence[Action]
) -> None:
    """Replace conditional calls by direct calls of the functions in `actions`."""
    for action in actions:
        if action.symbol != action.origin:
            module.clone_function(action.origin, action.symbol)
    symbols: dict[tuple[str, Normal], str] = {action[:2]: action.symbol for action in actions}
    module.rewrite_conditional_calls(
        CONDITIONAL_CALLER,
        {(call.action, call.operands): symbols[call.action, call.condition] for call in calls},
    )


def mark_for_own_images(module: Module, actions: Sequence[Action]) -> None:
    """Mark actions, so that they are only in add-on images."""
    module.set_function_attributes({action.symbol: {OWN_IMAGE: ""} for action in actions})
