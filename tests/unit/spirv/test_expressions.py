"""Expressions of specialization constants."""

from typing import Any

from hypothesis import given, strategies as st

from dovetail.spirv.expressions import CONSTANT, FALSE, TRUE, Expressions
from dovetail.spirv.opcodes import LOGICAL_AND, LOGICAL_NOT


def test_expressions_are_unique() -> None:
    made = Expressions()
    one, other = made.constant(7), made.constant(9)
    assert made.conjunction([one, other, one]) == made.conjunction([other, one])
    assert made.negation(made.negation(one)) == one
    assert made.conjunction([TRUE, one]) == made.disjunction([FALSE, one]) == one
    assert made.conjunction([FALSE, one]) == made.disjunction([]) == FALSE
    assert made.disjunction([TRUE, one]) == made.conjunction([]) == TRUE
    assert [node.operation for node in made.nodes] == [
        CONSTANT,
        CONSTANT,
        LOGICAL_AND,
        LOGICAL_NOT,
    ]


_Formula = tuple[str, Any]
"""`constant` and its number, or `not`, `and`, `or` and a list of formulas."""

_FORMULAS: st.SearchStrategy[_Formula] = st.recursive(
    st.tuples(st.just("constant"), st.integers(0, 4)),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), st.lists(inner, min_size=1, max_size=1)),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, max_size=3)),
    ),
)


@given(_FORMULAS, st.lists(st.booleans(), min_size=5, max_size=5))
def test_simplified_expressions_are_equivalent(formula: _Formula, values: list[bool]) -> None:
    made = Expressions()
    number = _written(formula, made)
    assert _value(number, made, values) == _direct(formula, values)
    for place, node in enumerate(made.nodes):
        assert node.operation == CONSTANT or max(node.operands) < place


def _written(formula: _Formula, made: Expressions) -> int:
    kind, inner = formula
    if kind == "constant":
        return made.constant(inner)
    numbers = [_written(each, made) for each in inner]
    if kind == "not":
        return made.negation(*numbers)
    return made.conjunction(numbers) if kind == "and" else made.disjunction(numbers)


def _direct(formula: _Formula, values: list[bool]) -> bool:
    kind, inner = formula
    if kind == "constant":
        return values[int(inner)]
    given = [_direct(each, values) for each in inner]
    if kind == "not":
        return not given[0]
    return all(given) if kind == "and" else any(given)


def _value(number: int, made: Expressions, values: list[bool]) -> bool:
    if number in (TRUE, FALSE):
        return number == TRUE
    operation, operands = made.nodes[number]
    if operation == CONSTANT:
        return values[operands[0]]
    given = [_value(each, made, values) for each in operands]
    if operation == LOGICAL_NOT:
        return not given[0]
    return all(given) if operation == LOGICAL_AND else any(given)
