"""A finding: an error or warning about device code, and the words for functions and calls in it."""

from dataclasses import dataclass, field

from dovetail import conditions
from dovetail.analysis.graph import CallStep, Graph
from dovetail.analysis.rules import Rule
from dovetail.facts import Place


@dataclass(frozen=True)
class Note:
    """An additional place of a finding."""

    message: str
    place: Place
    is_step: bool = False
    """Whether it is a call, or the use that the calls lead to."""


@dataclass(frozen=True)
class Finding:
    """An error or warning about device code."""

    rule: Rule
    message: str
    place: Place
    notes: tuple[Note, ...] = field(default=())


def function_description(graph: Graph, number: int) -> str:
    """Return `kernel 'NAME'` or `function 'NAME'`."""
    kernel = graph.kernel_of.get(number)
    if kernel:
        return f"kernel '{kernel.fact.name}'"
    return f"function '{graph.nodes[number].fact.name}'"


def call_notes(graph: Graph, steps: tuple[CallStep, ...]) -> tuple[Note, ...]:
    """Return a note for each call."""
    if graph.has_conditions:
        # Imported late: most programs have no conditional calls.
        from dovetail.analysis.conditional_paths import without_header_calls

        steps = without_header_calls(graph, steps)
    return tuple(
        Note(
            f"'{function_name(graph, step.caller)}' calls '{graph.nodes[step.callee].fact.name}'"
            f" here{condition_text(step)}",
            step.place,
            is_step=True,
        )
        for step in steps
    )


def condition_text(step: CallStep) -> str:
    """Return the condition of a call, to be appended to its text; empty if it has none."""
    if isinstance(step.condition, bool):
        return ""
    return f", if {conditions.in_words(step.condition)}"


def function_name(graph: Graph, number: int) -> str:
    """Return a function's name; for a kernel's function, the name of the kernel."""
    kernel = graph.kernel_of.get(number)
    return kernel.fact.name if kernel else graph.nodes[number].fact.name
