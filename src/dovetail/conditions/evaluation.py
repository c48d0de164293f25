"""Evaluate conditions for devices and for targets of the table.

For a target, an aspect can be unknown. It then counts as absent, since ahead-of-time builds cannot
query the device; the result names it if the outcome depends on it.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from dovetail.conditions.expression import (
    AND,
    ARCHITECTURE,
    ASPECT,
    NOT,
    OR,
    Condition,
    end_of_expression,
    fold,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.targets import Table, Target


def holds(
    condition: Condition, has_aspect: Callable[[int], bool], architecture: int | None
) -> bool:
    """Return whether a condition is true for a device.

    `architecture` is None for a device whose architecture has no number. Evaluation short-circuits,
    and queries no aspect twice.
    """
    queried: dict[int, bool] = {}
    operators: list[int] = []
    position, value = 0, False
    while position < len(condition):
        node = condition[position]
        position += 1
        if node in (NOT, AND, OR):
            operators.append(node)
            continue
        number = condition[position]
        position += 1
        if node != ASPECT:
            value = number == architecture
        else:
            if number not in queried:
                queried[number] = has_aspect(number)
            value = queried[number]
        while operators:
            operator = operators.pop()
            if operator == NOT:
                value = not value
            elif value == (operator == AND):
                break  # The second operand decides; it comes next.
            else:
                position = end_of_expression(condition, position)
    return value


class ConditionResolution(NamedTuple):
    """The outcome of a condition for a target."""

    holds: bool
    assumed_missing: tuple[int, ...]
    """The unknown aspects that the outcome depends on, ascending; they count as absent."""


def resolve(condition: Condition, target: "Target", table: "Table") -> ConditionResolution:
    """Evaluate a condition for a target of `table`.

    A target of several architectures, such as spir64, matches none of them.
    """
    architecture = table.architecture(target.name)
    truth = _truth(condition, target, architecture)
    unknown = () if isinstance(truth, bool) else truth
    true = holds(condition, target.capabilities.aspects.__contains__, architecture)
    return ConditionResolution(true, tuple(sorted(unknown)))


def architecture_matters(condition: Condition, target: "Target") -> bool:
    """Return whether the outcome may differ between the architectures of a target."""
    from dovetail.targets import architecture_names, architecture_number
    from dovetail.targets.coverage import covers

    if architecture_number(target.name) is not None:
        return False
    # Numbers are not negative, so none can be mistaken for a kind.
    named = {number for kind, number in pairwise(condition) if kind == ARCHITECTURE}
    among = (
        number
        for number in named
        if any(covers(target.name, name) for name in architecture_names(number))
    )
    other = _truth(condition, target, None)
    return any(_truth(condition, target, number) != other for number in among)


_Truth = bool | set[int]
"""True, false, or the unknown aspects that the outcome depends on."""


def _truth(condition: Condition, target: "Target", architecture: int | None) -> _Truth:
    def leaf(kind: int, number: int) -> _Truth:
        if kind != ASPECT:
            return number == architecture
        verdict = target.capabilities.aspect_verdict(number)
        return {number} if verdict == "may" else verdict == "yes"

    return fold(condition, leaf, _negation, _conjunction, _disjunction)


def _negation(operand: _Truth) -> _Truth:
    return not operand if isinstance(operand, bool) else operand


def _conjunction(left: _Truth, right: _Truth) -> _Truth:
    return _combined(left, right, dominant=False)


def _disjunction(left: _Truth, right: _Truth) -> _Truth:
    return _combined(left, right, dominant=True)


def _combined(left: _Truth, right: _Truth, *, dominant: bool) -> _Truth:
    """Combine two operands.

    If either is `dominant`, so is the result; if both are unknown, the result has the aspects of
    both.
    """
    if isinstance(left, bool):
        return dominant if left == dominant else right
    if isinstance(right, bool):
        return dominant if right == dominant else left
    # The sets are not shared, so the smaller is merged into the larger in place.
    small, large = (left, right) if len(left) < len(right) else (right, left)
    large.update(small)
    return large
