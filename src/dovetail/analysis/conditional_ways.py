"""Ways through the call graph that are taken on some devices alone."""

import os
from collections.abc import Sequence
from functools import cache, reduce

from dovetail.analysis.conditional import both_hold
from dovetail.analysis.graph import CallStep, Graph
from dovetail.resources import include_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition, Normal

_Place = tuple[int, "Normal"]
"""A function, and on which devices the way comes to it."""


def shortest_way(
    graph: Graph, start: int, condition: "Condition", bits: Sequence[int], bit: int
) -> tuple[CallStep, ...] | None:
    """The shortest way to a function that has a bit, whose calls together come to a condition.

    Of equally short ones the first, in the order of the source. None if there is no such way.
    """
    arrivals: dict[_Place, tuple[_Place, CallStep] | None] = {(start, True): None}
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
    place: _Place, arrivals: dict[_Place, tuple[_Place, CallStep] | None]
) -> tuple[CallStep, ...]:
    steps: list[CallStep] = []
    while arrival := arrivals[place]:
        place, step = arrival
        steps.append(step)
    return tuple(reversed(steps))


def as_users_see_it(graph: Graph, steps: tuple[CallStep, ...]) -> tuple[CallStep, ...]:
    """The same way without what our headers do between the user's call and what it leads to.

    That is several calls, of templates with long names. Ways without conditional calls stay as they
    are.
    """
    if all(isinstance(step.condition, bool) for step in steps):
        return steps
    shown: list[CallStep] = []
    run: list[CallStep] = []
    for step in steps:
        run.append(step)
        if not _is_ours(graph.nodes[step.callee].fact.place.file):
            shown += _as_one(run)
            run = []
    return (*shown, *run)


def _as_one(run: list[CallStep]) -> list[CallStep]:
    condition = reduce(both_hold, (step.condition for step in run))
    if isinstance(condition, bool):
        return run
    return [CallStep(run[0].caller, run[-1].callee, run[0].place, condition)]


def _is_ours(file: str) -> bool:
    return file.startswith(_our_headers())


@cache
def _our_headers() -> str:
    return f"{include_directory()}{os.sep}"
