"""What is certain of every device that satisfies a condition."""

from dovetail.conditions.cases import cases_of
from dovetail.conditions.diagram import FALSE, Diagram, Edge, TooLarge
from dovetail.conditions.expression import AND, Condition
from dovetail.conditions.normal import MOST_STEPS
from dovetail.conditions.terms import Compound, Literal, term_of, write_term
from dovetail.targets import Table, architecture_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.capabilities import Verdict


def always_has(condition: Condition, aspect: int, table: Table) -> bool:
    """Whether every device that satisfies a condition has an aspect, as far as can be proven.

    By the condition itself, and for each architecture that it names by what the table says of it.
    Of other architectures nothing is known. A condition that is too large to be looked through
    proves the aspects that it demands one by one.
    """
    term = term_of(condition)
    try:
        return _is_certain(write_term(term), aspect, table)
    except TooLarge:
        demanded = term.literals if isinstance(term, Compound) and term.operator == AND else ()
        return Literal(False, aspect) in demanded


def _is_certain(condition: Condition, aspect: int, table: Table) -> bool:
    diagram = Diagram(MOST_STEPS)
    cases = cases_of(condition, diagram)
    lacking = diagram.has(aspect) ^ 1
    return diagram.both(cases.others, lacking) == FALSE and all(
        _is_impossible(diagram, diagram.both(edge, lacking), architecture, table)
        for architecture, edge in cases.known.items()
    )


def _is_impossible(diagram: Diagram, edge: Edge, architecture: int, table: Table) -> bool:
    """Whether no device of an architecture can make a function true."""
    for aspect in sorted(diagram.aspects_of(edge)):
        verdict = _verdict(architecture, aspect, table)
        if verdict != "may":
            has = diagram.has(aspect)
            edge = diagram.both(edge, has if verdict == "yes" else has ^ 1)
    return edge == FALSE


def _verdict(architecture: int, aspect: int, table: Table) -> "Verdict":
    """What holds for all targets that share an architecture; may, if they differ or are none."""
    verdicts: set[Verdict] = {
        table[name].capabilities.aspect_verdict(aspect)
        for name in architecture_names(architecture)
        if name in table
    }
    return verdicts.pop() if len(verdicts) == 1 else "may"
