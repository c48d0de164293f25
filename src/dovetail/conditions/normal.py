"""Normal forms of conditions: equivalent conditions become the same integers.

docs/design.md describes the algorithm, docs/conditional-code.md its limits.
"""

from itertools import pairwise

from dovetail.conditions.cases import Cases, cases_of
from dovetail.conditions.cover import sum_of_products
from dovetail.conditions.diagram import FALSE, TRUE, Diagram, TooLarge
from dovetail.conditions.expression import AND, MAX_INTEGERS, NOT, OR, Condition
from dovetail.conditions.terms import term_of, write_term
from dovetail.errors import FormatError

Normal = Condition | bool
"""A condition in normal form; True if it holds on every device, False if on none."""

MAX_STEPS = 1000
"""Steps to build the diagram of a condition, and again to write each of its two forms."""


def normalize(condition: Condition) -> Normal:
    """Return the normal form of a condition; if that is too large, a simplified condition."""
    # Simplified first, so that whether a condition is too large does not depend on its spelling.
    simple = write_term(term_of(condition))
    try:
        return _canonical(simple)
    except TooLarge:
        if len(simple) > MAX_INTEGERS:
            raise FormatError(
                f"a combined condition has {len(simple)} integers; the limit is {MAX_INTEGERS}",
                hint="nest fewer or shorter conditions",
            ) from None
        return simple


def _canonical(condition: Condition) -> Normal:
    """Return the shorter form, sum or product; raise `TooLarge` if there is neither."""
    diagram = Diagram(MAX_STEPS)
    cases = cases_of(condition, diagram)
    if not cases.known and cases.others in (TRUE, FALSE):
        return cases.others == TRUE
    as_sum = _as_sum(cases, diagram)
    if as_sum and _has_no_duplicates(as_sum):
        return as_sum
    forms = [form for form in (as_sum, _as_product(cases, diagram)) if form]
    if not forms:
        raise TooLarge
    return min(forms, key=len)


def _as_sum(cases: Cases, diagram: Diagram) -> Condition | None:
    """Return the sum of products, or None if it is too large."""
    diagram.reset_steps()
    try:
        return write_term(sum_of_products(cases, diagram))
    except TooLarge:
        return None


def _as_product(cases: Cases, diagram: Diagram) -> Condition | None:
    """Return the product of sums, a negated sum of products, or None if it is too large."""
    negation = _as_sum(cases.negation(), diagram)
    return negation and write_term(term_of(Condition((NOT, *negation))))


def _has_no_duplicates(condition: Condition) -> bool:
    """Return whether no aspect or architecture occurs twice; then no other form is shorter."""
    leaves = [pair for pair in pairwise(condition) if pair[1] >= 0]
    return len(leaves) == len(set(leaves))


def conjunction(one: Normal, other: Normal) -> Normal:
    """Return the condition that both hold."""
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return normalize(Condition((AND, *one, *other)))


def disjunction(one: Normal, other: Normal) -> Normal:
    """Return the condition that at least one of the two holds."""
    if isinstance(one, bool):
        return one or other
    if isinstance(other, bool):
        return other or one
    return normalize(Condition((OR, *one, *other)))


def negation(one: Normal) -> Normal:
    """Return the condition that is true where this one is false."""
    return not one if isinstance(one, bool) else normalize(Condition((NOT, *one)))
