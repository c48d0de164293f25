"""Conditions are read whole or refused with what is wrong and where."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_conditions import conditions

from dovetail.conditions import (
    AND,
    ARCHITECTURE,
    ASPECT,
    LONGEST,
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
        ((), "integer 0: it ends where an expression has to follow"),
        ((AND,), "integer 1: it ends where an expression has to follow"),
        ((AND, *FP16), "integer 3: it ends where an expression has to follow"),
        ((NOT, NOT), "integer 2: it ends where an expression has to follow"),
        ((ASPECT,), "integer 1: it ends where the number of an aspect has to follow"),
        (
            (OR, *FP16, ARCHITECTURE),
            "integer 4: it ends where the number of an architecture has to follow",
        ),
        ((*FP16, *FP64), "integer 2: it goes on behind its end, with -1"),
        ((*FP16, 7), "integer 2: it goes on behind its end, with 7"),
        ((NOT, -6, 5), "integer 1: it has -6, which begins no expression"),
        ((0,), "integer 0: it has 0, which begins no expression"),
        ((ASPECT, -1), "integer 1: it has -1 for the number of an aspect"),
        ((NOT, ARCHITECTURE, -7), "integer 2: it has -7 for the number of an architecture"),
        ((ASPECT, 1 << 31), "integer 1: it has 2147483648 for the number of an aspect"),
    ],
)
def test_malformed(ints: tuple[int, ...], what: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_condition(ints)
    assert caught.value.message == f"malformed condition: {what}"


@pytest.mark.parametrize("operators", [(NOT,), (AND, *FP16), (OR, NOT, *FP16), (AND,)])
def test_a_million_levels_are_refused(operators: tuple[int, ...]) -> None:
    with pytest.raises(FormatError, match=f"more than {LONGEST}"):
        read_condition((*operators * 10**6, *FP64))


def deep_conditions() -> list[Condition]:
    """As deep as is let through, in every direction."""
    left = LONGEST // 3 - 1
    return [
        read_condition((*(NOT,) * (LONGEST - 2), *FP64)),
        read_condition((*(AND, *FP16) * left, *FP64)),
        read_condition((*(AND,) * left, *FP64 * (left + 1))),
        read_condition((*(OR, *FP16, AND, ASPECT, 7) * (left // 2), *FP64)),
        read_condition((*(NOT, AND, *FP16) * (LONGEST // 4 - 1), *FP64)),
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
    with pytest.raises(FormatError, match="ends within an integer of four bytes"):
        condition_from_bytes(condition_to_bytes(condition)[:-missing])


def test_numbers_of_newer_programs_are_read() -> None:
    assert read_condition((OR, ASPECT, 4711, ARCHITECTURE, 2**31 - 1))
