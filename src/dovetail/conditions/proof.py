"""Prove that every device that satisfies a condition has an aspect."""

from dovetail.conditions.cases import cases_of
from dovetail.conditions.diagram import FALSE, Diagram, Edge, TooLarge
from dovetail.conditions.expression import AND, Condition
from dovetail.conditions.normal import MAX_STEPS
from dovetail.conditions.terms import Compound, Literal, term_of, write_term
from dovetail.targets import Table, architecture_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.capabilities import Verdict


def always_has(condition: Condition, aspect: int, table: Table) -> bool:
    """Return whether it can be proven that every device that satisfies a condition has an aspect.

    The proof uses the condition itself and, for each architecture that it names, the table. A
    condition that is too large to be analyzed proves only the aspects that it requires directly.
    """
    term = term_of(condition)
    try:
        return _is_certain(write_term(term), aspect, table)
    except TooLarge:
        required = term.literals if isinstance(term, Compound) and term.operator == AND else ()
        return Literal(False, aspect) in required


def _is_certain(condition: Condition, aspect: int, table: Table) -> bool:
    diagram = Diagram(MAX_STEPS)
    cases = cases_of(condition, diagram)
    lacking = diagram.variable(aspect) ^ 1
    return diagram.both(cases.others, lacking) == FALSE and all(
        _is_impossible(diagram, diagram.both(edge, lacking), architecture, table)
        for architecture, edge in cases.known.items()
    )


def _is_impossible(diagram: Diagram, edge: Edge, architecture: int, table: Table) -> bool:
    """Return whether the table rules out that a device of an architecture makes a function true."""
    for aspect in sorted(diagram.aspects_of(edge)):
        verdict = _verdict(architecture, aspect, table)
        if verdict != "may":
            present = diagram.variable(aspect)
            edge = diagram.both(edge, present if verdict == "yes" else present ^ 1)
    return edge == FALSE


def _verdict(architecture: int, aspect: int, table: Table) -> "Verdict":
    """Return the verdict that all targets of an architecture share; "may" if there is none."""
    verdicts: set[Verdict] = {
        table[name].capabilities.aspect_verdict(aspect)
        for name in architecture_names(architecture)
        if name in table
    }
    return verdicts.pop() if len(verdicts) == 1 else "may"
