"""Sums of products are irredundant."""

from hypothesis import given
from random_conditions import ASPECTS, all_devices, conditions, joined, truths

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, Condition, read_condition
from dovetail.conditions.cases import cases_of
from dovetail.conditions.cover import sum_of_products
from dovetail.conditions.diagram import FALSE, TRUE, Diagram
from dovetail.conditions.terms import Compound, Term, compound, write_term

DEVICES = all_devices()


def sum_of(condition: Condition) -> Term | None:
    """None for constants."""
    diagram = Diagram(10**6)
    cases = cases_of(condition, diagram)
    if not cases.known and cases.others in (TRUE, FALSE):
        return None
    return sum_of_products(cases, diagram)


def check(condition: Condition, term: Term) -> None:
    expected = truths(condition, DEVICES)
    assert truths(write_term(term), DEVICES) == expected
    if isinstance(term, Compound):
        for part in term.parts:
            rest = compound(term.operator, [each for each in term.parts if each is not part])
            assert truths(write_term(rest), DEVICES) != expected


@given(conditions(most_leaves=25))
def test_no_operand_is_redundant(condition: Condition) -> None:
    term = sum_of(condition)
    if term is not None:
        check(condition, term)


def test_products_that_those_of_other_architectures_cover_are_dropped() -> None:
    """On the first architecture, true unless all three aspects are there or all are missing.

    Two sums of three products say so. Whichever is found, the others need their products as well.
    """
    a, b, c = ((ASPECT, each) for each in ASPECTS)
    for rising in (True, False):
        turns = [(a, b), (b, c), (c, a)]
        products = [
            (AND, *one, NOT, *other) if rising else (AND, NOT, *one, *other) for one, other in turns
        ]
        elsewhere = [
            (AND, ARCHITECTURE, 17, *products[0]),
            (AND, ARCHITECTURE, 20, *products[1]),
            (AND, NOT, *joined(OR, [(ARCHITECTURE, each) for each in (0, 17, 20)]), *products[2]),
        ]
        first = (AND, ARCHITECTURE, 0, *joined(OR, products))
        condition = read_condition(joined(OR, [first, *elsewhere]))
        term = sum_of(condition)
        assert isinstance(term, Compound)
        assert len(term.parts) == 3
        check(condition, term)
