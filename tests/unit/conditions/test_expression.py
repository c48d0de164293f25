"""Conditions are read completely, or rejected with an error and its position."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from random_conditions import conditions

from dovetail.conditions import (
    AND,
    ARCHITECTURE,
    ASPECT,
    MAX_INTEGERS,
    NOT,
    OR,
    Condition,
    condition_from_bytes,
    condition_to_bytes,
    in_words,
    normalize,
    read_condition,
)
from dovetail.errors import FormatError

FP16, FP64 = (ASPECT, 5), (ASPECT, 6)


def test_the_numbers_never_change() -> None:
    """They are an ABI."""
    assert (ASPECT, ARCHITECTURE, NOT, AND, OR) == (-1, -2, -3, -4, -5)


@pytest.mark.parametrize(
    ("ints", "what"),
    [
        ((), "integer 0: expected an expression, got the end"),
        ((AND,), "integer 1: expected an expression, got the end"),
        ((AND, *FP16), "integer 3: expected an expression, got the end"),
        ((NOT, NOT), "integer 2: expected an expression, got the end"),
        ((ASPECT,), "integer 1: expected the number of an aspect, got the end"),
        (
            (OR, *FP16, ARCHITECTURE),
            "integer 4: expected the number of an architecture, got the end",
        ),
        ((*FP16, *FP64), "integer 2: expected the end, got -1"),
        ((*FP16, 7), "integer 2: expected the end, got 7"),
        ((NOT, -6, 5), "integer 1: expected an expression, got -6"),
        ((0,), "integer 0: expected an expression, got 0"),
        ((ASPECT, -1), "integer 1: expected the number of an aspect, got -1"),
        ((NOT, ARCHITECTURE, -7), "integer 2: expected the number of an architecture, got -7"),
        ((ASPECT, 1 << 31), "integer 1: expected the number of an aspect, got 2147483648"),
    ],
)
def test_malformed(ints: tuple[int, ...], what: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_condition(ints)
    assert caught.value.message == f"malformed condition: {what}"


@pytest.mark.parametrize("operators", [(NOT,), (AND, *FP16), (OR, NOT, *FP16), (AND,)])
def test_a_million_levels_are_refused(operators: tuple[int, ...]) -> None:
    with pytest.raises(FormatError, match=f"at most {MAX_INTEGERS}"):
        read_condition((*operators * 10**6, *FP64))


def deep_conditions() -> list[Condition]:
    """As deep as the limit allows, in every direction."""
    left = MAX_INTEGERS // 3 - 1
    return [
        read_condition((*(NOT,) * (MAX_INTEGERS - 2), *FP64)),
        read_condition((*(AND, *FP16) * left, *FP64)),
        read_condition((*(AND,) * left, *FP64 * (left + 1))),
        read_condition((*(OR, *FP16, AND, ASPECT, 7) * (left // 2), *FP64)),
        read_condition((*(NOT, AND, *FP16) * (MAX_INTEGERS // 4 - 1), *FP64)),
    ]


def test_depth_costs_neither_recursion_nor_much_time() -> None:
    """A step whose time is quadratic would take minutes here."""
    for condition in deep_conditions():
        assert in_words(condition)
        assert normalize(condition)
        assert condition_from_bytes(condition_to_bytes(condition)) == condition


@given(st.lists(st.integers(-7, 7), max_size=12))
def test_anything_is_read_or_refused(ints: list[int]) -> None:
    with suppress(FormatError):
        assert list(read_condition(ints)) == ints


@given(conditions())
def test_bytes_there_and_back(condition: Condition) -> None:
    data = condition_to_bytes(condition)
    assert condition_from_bytes(data) == condition
    assert [
        int.from_bytes(data[start : start + 4], "little", signed=True)
        for start in range(0, len(data), 4)
    ] == list(condition)


@given(conditions(), st.integers(1, 3))
def test_cut_off_bytes(condition: Condition, missing: int) -> None:
    with pytest.raises(FormatError, match="expected integers of 4 bytes"):
        condition_from_bytes(condition_to_bytes(condition)[:-missing])


def test_numbers_of_newer_programs_are_read() -> None:
    assert read_condition((OR, ASPECT, 4711, ARCHITECTURE, 2**31 - 1))
