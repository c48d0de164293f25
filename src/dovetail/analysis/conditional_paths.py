"""Paths through the call graph with conditional calls."""

import os
from collections.abc import Sequence
from functools import cache, reduce

from dovetail.analysis.conditional import both_hold
from dovetail.analysis.graph import CallStep, Graph
from dovetail.resources import include_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition, Normal

_State = tuple[int, "Normal"]
"""A function, and the conjunction of the conditions on the path to it."""


def shortest_path(
    graph: Graph, start: int, condition: "Condition", bits: Sequence[int], bit: int
) -> tuple[CallStep, ...] | None:
    """Return the shortest path to a function with a bit set, under exactly this condition.

    The condition of a path is the conjunction of those of its calls. Of equally short paths, the
    first in source order is returned; None if there is no path.
    """
    reached: dict[_State, tuple[_State, CallStep] | None] = {(start, True): None}
    pending: list[_State] = list(reached)
    for state in pending:
        node, so_far = state
        for step in graph.steps(node):
            after = both_hold(so_far, step.condition)
            # A path whose condition is not implied by the requested one cannot end there.
            if (step.callee, after) in reached or both_hold(after, condition) != condition:
                continue
            reached[step.callee, after] = (state, step)
            if after == condition and bits[step.callee] & bit:
                return _steps_to((step.callee, after), reached)
            pending.append((step.callee, after))
    return None


def _steps_to(
    state: _State, reached: dict[_State, tuple[_State, CallStep] | None]
) -> tuple[CallStep, ...]:
    """Return the calls on the path to a state, in order."""
    steps: list[CallStep] = []
    while previous := reached[state]:
        state, step = previous
        steps.append(step)
    return tuple(reversed(steps))


def without_header_calls(graph: Graph, steps: tuple[CallStep, ...]) -> tuple[CallStep, ...]:
    """Return a path with the calls inside the SYCL headers merged into the user's call.

    These are several calls of templates with long names. Paths without conditional calls are
    returned unchanged.
    """
    if all(isinstance(step.condition, bool) for step in steps):
        return steps
    shown: list[CallStep] = []
    run: list[CallStep] = []
    for step in steps:
        run.append(step)
        if not _is_in_sycl_headers(graph.nodes[step.callee].fact.place.file):
            shown += _merged(run)
            run = []
    return (*shown, *run)


def _merged(run: list[CallStep]) -> list[CallStep]:
    condition = reduce(both_hold, (step.condition for step in run))
    if isinstance(condition, bool):
        return run
    return [CallStep(run[0].caller, run[-1].callee, run[0].place, condition)]


def _is_in_sycl_headers(file: str) -> bool:
    return file.startswith(_sycl_headers())


@cache
def _sycl_headers() -> str:
    return f"{include_directory()}{os.sep}"
