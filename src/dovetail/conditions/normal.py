"""Normal forms: equivalent conditions get the same integers; and conditions joined.

docs/conditions.md tells why, and within which bounds.
"""

from itertools import pairwise

from dovetail.conditions.cases import Cases, cases_of
from dovetail.conditions.cover import sum_of_products
from dovetail.conditions.diagram import FALSE, TRUE, Diagram, TooLarge
from dovetail.conditions.expression import AND, LONGEST, NOT, OR, Condition
from dovetail.conditions.terms import term_of, write_term
from dovetail.errors import FormatError

Normal = Condition | bool
"""A condition in normal form; True if it holds on every device, False if on none."""

MOST_STEPS = 1000
"""To find out what a condition means, and again to write that down in each of two ways."""


def normalize(condition: Condition) -> Normal:
    """The normal form of a condition."""
    # Simplified first: then what is too large for the rest is so in whatever order it is written.
    simple = write_term(term_of(condition))
    try:
        return _canonical(simple)
    except TooLarge:
        if len(simple) > LONGEST:
            raise FormatError(
                f"a condition comes to {len(simple)} integers, more than {LONGEST}",
                hint="nest fewer conditions, or shorter ones",
            ) from None
        return simple


def _canonical(condition: Condition) -> Normal:
    diagram = Diagram(MOST_STEPS)
    cases = cases_of(condition, diagram)
    if not cases.known and cases.others in (TRUE, FALSE):
        return cases.others == TRUE
    as_sum = _as_sum(cases, diagram)
    if as_sum and _names_each_once(as_sum):
        return as_sum
    short = [form for form in (as_sum, _as_product(cases, diagram)) if form]
    if not short:
        raise TooLarge
    return min(short, key=len)


def _as_sum(cases: Cases, diagram: Diagram) -> Condition | None:
    """As a sum of products; None if it is too large."""
    diagram.start_over()
    try:
        return write_term(sum_of_products(cases, diagram))
    except TooLarge:
        return None


def _as_product(cases: Cases, diagram: Diagram) -> Condition | None:
    """As a product of sums, which is a sum of products negated; None if it is too large."""
    negation = _as_sum(cases.negation(), diagram)
    return negation and write_term(term_of(Condition((NOT, *negation))))


def _names_each_once(condition: Condition) -> bool:
    """Whether no aspect and no architecture comes twice: then no other form has fewer of them."""
    leaves = [pair for pair in pairwise(condition) if pair[1] >= 0]
    return len(leaves) == len(set(leaves))


def conjunction(one: Normal, other: Normal) -> Normal:
    """Where both hold."""
    if isinstance(one, bool):
        return other if one else False
    if isinstance(other, bool):
        return one if other else False
    return normalize(Condition((AND, *one, *other)))


def disjunction(one: Normal, other: Normal) -> Normal:
    """Where one of the two holds, or both."""
    if isinstance(one, bool):
        return one or other
    if isinstance(other, bool):
        return other or one
    return normalize(Condition((OR, *one, *other)))


def negation(one: Normal) -> Normal:
    """Where a condition does not hold."""
    return not one if isinstance(one, bool) else normalize(Condition((NOT, *one)))
