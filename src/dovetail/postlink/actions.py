"""Actions, which are called under conditions: a function for each of them and each condition.

Whether it does what the action does or nothing is decided as the program runs, by which of two
images is linked, or when code is made for a device. So a function is for one condition, whoever
calls it, and nobody calls it plainly.
An action for which that is so keeps its name; others have copies, `NAME.2`, `NAME.3` and so on,
with names that are unique in the program.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from dovetail.conditions import Condition, Normal
from dovetail.device_metadata import CONDITIONAL_CALLER, GuardedCall, conditional_calls
from dovetail.errors import CompileError
from dovetail.ir import Module, demangle
from dovetail.postlink.link import LinkedProgram

APART = "dovetail-apart"
"""The attribute of functions that are in images of their own."""

_FIRST_COPY = 2


class Action(NamedTuple):
    """A function that is called under one condition."""

    origin: str
    """The function that it is, or is a copy of."""
    condition: Condition
    symbol: str
    """What it is called in images."""


def settle_calls(module: Module) -> list[GuardedCall]:
    """The calls that are made on some devices; those for all become plain, those for none go."""
    calls = conditional_calls(module)
    settled = {
        (call.action, call.written): call.action if call.condition else None
        for call in calls
        if isinstance(call.condition, bool)
    }
    if settled:
        module.rewrite_conditional_calls(CONDITIONAL_CALLER, settled)
    return [call for call in calls if not isinstance(call.condition, bool)]


def find_actions(
    calls: Iterable[GuardedCall], plain: Collection[str], taken: Collection[str]
) -> list[Action]:
    """The actions, in the order of their first calls.

    `plain` are the functions that are called or referred to without a condition, or by other
    programs; `taken` are all names of the program.
    """
    guarded = list(dict.fromkeys((call.action, call.condition) for call in calls))
    conditions_of = Counter(origin for origin, _ in guarded)
    names = set(taken)
    actions: list[Action] = []
    for origin, condition in guarded:
        assert not isinstance(condition, bool), "such calls are settled before"
        is_alone = conditions_of[origin] == 1 and origin not in plain
        symbol = origin if is_alone else _copy_name(origin, names)
        names.add(symbol)
        actions.append(Action(origin, condition, symbol))
    return actions


def _copy_name(origin: str, taken: Collection[str]) -> str:
    generation = _FIRST_COPY
    while f"{origin}.{generation}" in taken:
        generation += 1
    return f"{origin}.{generation}"


def refuse_undefined_actions(linked: LinkedProgram, actions: Sequence[Action]) -> None:
    """Raise `CompileError` if an action is another program's, which cannot be linked or not."""
    for action in actions:
        if action.origin in linked.undefined:
            (name,) = demangle([action.origin])
            raise CompileError(
                f"{linked.inputs[0]}: error: '{name}' is called on some devices alone, and no"
                " source defines it",
                hint="add the source that defines it, or call it from a lambda that is called so",
            )


def call_actions(module: Module, calls: Sequence[GuardedCall], actions: Sequence[Action]) -> None:
    """Make conditional calls plain calls of these functions."""
    for action in actions:
        if action.symbol != action.origin:
            module.clone_function(action.origin, action.symbol)
    symbols: dict[tuple[str, Normal], str] = {action[:2]: action.symbol for action in actions}
    module.rewrite_conditional_calls(
        CONDITIONAL_CALLER,
        {(call.action, call.written): symbols[call.action, call.condition] for call in calls},
    )


def keep_apart(module: Module, actions: Sequence[Action]) -> None:
    """Mark actions, so that no image has them but their own."""
    module.set_function_attributes({action.symbol: {APART: ""} for action in actions})
