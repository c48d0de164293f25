"""The add-ons of an image, and add-on images."""

import struct

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, Condition, read_condition
from dovetail.errors import FormatError
from dovetail.image import (
    AddOn,
    format_property_sets,
    parse_property_sets,
    read_info,
)

FP64 = read_condition((ASPECT, 6))
IDENTIFIERS = st.text("0123456789", min_size=1) | st.text("ab_1", min_size=1)
LEAVES = st.tuples(st.sampled_from([ASPECT, ARCHITECTURE]), st.integers(0, 2**31 - 1))
CONDITIONS = st.recursive(
    LEAVES, lambda inner: st.tuples(inner, inner).map(lambda pair: (AND, *pair[0], *pair[1]))
).map(read_condition)


def ints(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


def test_golden() -> None:
    pairs = {"1": FP64, "2": read_condition((AND, ASPECT, 6, NOT, ARCHITECTURE, 21))}
    text = format_property_sets(
        {
            "SYCL/add on images": properties_of(add_ons=pairs),
            "SYCL/add on image": properties_of(add_on=AddOn("1", is_real=True)),
        }
    )
    assert text == (
        b"[SYCL/add on images]\n"
        b"1=2|ABAAAAAAAAw/////GAAAAA\n"
        b"2=2|ADAAAAAAAAA//////////bAAAAQ/////+////XBAAAA\n"
        b"[SYCL/add on image]\n"
        b"1=1|1\n"
    )
    sets = parse_property_sets(text)
    assert sets["SYCL/add on images"]["2"] == ints(-4, -1, 6, -3, -2, 21)
    assert read_info(sets).add_ons == pairs
    assert read_info(sets).add_on == AddOn("1", is_real=True)


def test_none() -> None:
    assert properties_of(add_ons={}) == {}
    assert read_info({}).add_ons == {}
    assert read_info({}).add_on is None


@given(st.dictionaries(IDENTIFIERS, CONDITIONS), IDENTIFIERS, st.booleans())
def test_round_trip(pairs: dict[str, Condition], identifier: str, real: bool) -> None:
    add_on = AddOn(identifier, is_real=real)
    text = format_property_sets(
        {
            "SYCL/add on images": properties_of(add_ons=pairs),
            "SYCL/add on image": properties_of(add_on=add_on),
        }
    )
    sets = parse_property_sets(text)
    assert read_info(sets).add_ons == pairs
    assert read_info(sets).add_on == add_on


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (1, "expected a byte array, got a number"),
        (b"", "integer 0: expected an expression, got the end"),
        (ints(-1, 6) + b"\0", "expected integers of 4 bytes, got 9 bytes"),
        (ints(-1), "integer 1: expected the number of an aspect, got the end"),
        (ints(-4, -1, 6), "integer 3: expected an expression, got the end"),
        (ints(-1, 6, -1), "integer 2: expected the end, got -1"),
        (ints(-6, 1), "integer 0: expected an expression, got -6"),
        (ints(*(NOT,) * 10**6, -1, 6), "at most 65536 integers, got 1000002"),
        (ints(*(AND,) * 10**6), "at most 65536 integers, got 1000000"),
    ],
)
def test_malformed_conditions_are_named(value: int | bytes, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        _ = read_info({"SYCL/add on images": {"1": ints(-1, 6), "2": value}}).add_ons
    assert caught.value.message.startswith("property '2' of set 'SYCL/add on images': ")
    assert problem in caught.value.message


@pytest.mark.parametrize(
    ("properties", "problem"),
    [
        ({}, "set 'SYCL/add on image': expected one identifier, got 0"),
        ({"1": 1, "2": 0}, "set 'SYCL/add on image': expected one identifier, got 2"),
        ({"1": 2}, "property '1' of set 'SYCL/add on image': expected 0 (stub) or 1 (real), got 2"),
        (
            {"1": b"\1"},
            "property '1' of set 'SYCL/add on image': expected a number, got a byte array",
        ),
    ],
)
def test_malformed_add_ons_are_named(properties: dict[str, int | bytes], problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        _ = read_info({"SYCL/add on image": properties}).add_on
    assert caught.value.message == problem
