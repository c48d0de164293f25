"""Whether a condition holds: for a device that can be asked, and for a target of the table.

For a target, an aspect can be unknown. It then counts as false, as code that is made ahead of time
cannot wait for the device, and the answer names it where the outcome depends on it.
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
    """Whether a condition is true for a device.

    `architecture` is None for a device whose architecture has no number. Operands that cannot
    change the outcome are passed over, and no aspect is asked for twice.
    """
    answers: dict[int, bool] = {}
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
            if number not in answers:
                answers[number] = has_aspect(number)
            value = answers[number]
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
    """Whether a condition is taken as true for a target."""

    holds: bool
    assumed_missing: tuple[int, ...]
    """Aspects that may or may not be there, and on which it depends; ascending."""


def resolve(condition: Condition, target: "Target", table: "Table") -> ConditionResolution:
    """Whether a condition is taken as true for a target of `table`.

    A target that stands for several architectures, such as spir64, counts as none of them.
    """
    architecture = table.architecture(target.name)
    truth = _truth(condition, target, architecture)
    unknown = () if isinstance(truth, bool) else truth
    true = holds(condition, target.capabilities.aspects.__contains__, architecture)
    return ConditionResolution(true, tuple(sorted(unknown)))


def architecture_matters(condition: Condition, target: "Target") -> bool:
    """Whether a target is several architectures that may differ in what comes out."""
    from dovetail.targets import architecture_names, architecture_number
    from dovetail.targets.coverage import covers

    if architecture_number(target.name) is not None:
        return False
    # No number is negative, so none looks like a kind.
    named = {number for kind, number in pairwise(condition) if kind == ARCHITECTURE}
    among = (
        number
        for number in named
        if any(covers(target.name, name) for name in architecture_names(number))
    )
    other = _truth(condition, target, None)
    return any(_truth(condition, target, number) != other for number in among)


_Truth = bool | set[int]
"""True, false, or the unknown aspects on which it depends."""


def _truth(condition: Condition, target: "Target", architecture: int | None) -> _Truth:
    def leaf(kind: int, number: int) -> _Truth:
        if kind != ASPECT:
            return number == architecture
        verdict = target.capabilities.aspect_verdict(number)
        return {number} if verdict == "may" else verdict == "yes"

    return fold(condition, leaf, _negation, _conjunction, _disjunction)


def _negation(one: _Truth) -> _Truth:
    return not one if isinstance(one, bool) else one


def _conjunction(one: _Truth, other: _Truth) -> _Truth:
    return _joined(one, other, decisive=False)


def _disjunction(one: _Truth, other: _Truth) -> _Truth:
    return _joined(one, other, decisive=True)


def _joined(one: _Truth, other: _Truth, *, decisive: bool) -> _Truth:
    """`decisive` is the truth of an operand that leaves the other one without say."""
    if isinstance(one, bool):
        return decisive if one == decisive else other
    if isinstance(other, bool):
        return decisive if other == decisive else one
    # Nobody else has these sets: the smaller goes into the larger, so that all of it stays fast.
    small, large = (one, other) if len(one) < len(other) else (other, one)
    large.update(small)
    return large
