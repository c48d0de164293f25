"""The conditional calls of a module: who calls which action under which condition."""

from collections.abc import Iterator
from typing import NamedTuple

from dovetail import conditions
from dovetail.conditions import Condition
from dovetail.device_metadata import CONDITIONAL_CALLER
from dovetail.errors import FormatError, IRError
from dovetail.ir import ConditionalCall, Module, demangle


class GuardedCall(NamedTuple):
    """A call of an action that is made on the devices for which a condition holds."""

    caller: str
    action: str
    written: tuple[int, ...]
    """The condition as it stands in the code."""
    condition: Condition
    """The same in normal form."""


def conditional_calls(module: Module) -> list[GuardedCall]:
    """Those of a module, in its order; the module loses those that are always or never made.

    Our passes leave conditions that do depend on the device, in normal form. Others may not.
    """
    calls: list[GuardedCall] = []
    settled: dict[tuple[str, tuple[int, ...]], str | None] = {}
    for call, written in _calls(module):
        normal = conditions.normalize(written)
        if isinstance(normal, bool):
            settled[call.action, written] = call.action if normal else None
        else:
            calls.append(GuardedCall(call.caller, call.action, written, normal))
    if settled:
        module.rewrite_conditional_calls(CONDITIONAL_CALLER, settled)
    return calls


def _calls(module: Module) -> Iterator[tuple[ConditionalCall, Condition]]:
    for call in module.conditional_calls(CONDITIONAL_CALLER):
        numbers = [number for number in call.condition if number is not None]
        if len(numbers) < len(call.condition):
            raise AssertionError(
                f"in '{_name(call.caller)}', a call of '{_name(call.action)}' has lost its"
                " condition: not all of its integers are constant any more"
            )
        try:
            yield call, conditions.read_condition(numbers)
        except FormatError as error:
            raise IRError(
                f"{module.name}: in '{_name(call.caller)}', call of '{_name(call.action)}':"
                f" {error.message}",
                hint=error.hint,
            ) from None


def _name(symbol: str) -> str:
    return demangle([symbol])[0]
