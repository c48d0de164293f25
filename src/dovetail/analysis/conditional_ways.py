"""Ways through the call graph that are taken on some devices alone."""

from collections.abc import Sequence

from dovetail.analysis.conditional import both_hold
from dovetail.analysis.graph import Graph, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition, Normal

_Place = tuple[int, "Normal"]
"""A function, and on which devices the way comes to it."""


def shortest_way(
    graph: Graph, start: int, condition: "Condition", bits: Sequence[int], bit: int
) -> tuple[Step, ...] | None:
    """The shortest way to a function that has a bit, whose calls together come to a condition.

    Of equally short ones the first, in the order of the source. None if there is no such way.
    """
    arrivals: dict[_Place, tuple[_Place, Step] | None] = {(start, True): None}
    pending: list[_Place] = list(arrivals)
    for place in pending:
        node, so_far = place
        for step in graph.steps(node):
            after = both_hold(so_far, step.condition)
            # Who demands something else than is wanted has lost the way.
            if (step.callee, after) in arrivals or both_hold(after, condition) != condition:
                continue
            arrivals[step.callee, after] = (place, step)
            if after == condition and bits[step.callee] & bit:
                return _steps_to((step.callee, after), arrivals)
            pending.append((step.callee, after))
    return None


def _steps_to(
    place: _Place, arrivals: dict[_Place, tuple[_Place, Step] | None]
) -> tuple[Step, ...]:
    steps: list[Step] = []
    while arrival := arrivals[place]:
        place, step = arrival
        steps.append(step)
    return tuple(reversed(steps))
