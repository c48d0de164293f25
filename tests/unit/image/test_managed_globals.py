"""The managed device globals of an image."""

import struct

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    ManagedGlobal,
    format_property_sets,
    parse_property_sets,
    read_info,
)


@st.composite
def managed_globals(draw: st.DrawFn) -> ManagedGlobal:
    size, count = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    has_image_scope = draw(st.booleans())
    values = st.binary(min_size=size * count, max_size=size * count)
    return ManagedGlobal(
        draw(st.text("ab_$1", min_size=1)),
        size,
        count,
        draw(st.integers(size, 99)),
        has_image_scope,
        draw(st.none() | st.integers(0, 99)),
        b"" if has_image_scope else draw(st.just(b"") | values),
    )


@given(st.lists(managed_globals(), unique_by=lambda each: each.identifier))
def test_round_trip(variables: list[ManagedGlobal]) -> None:
    sets = {"Dovetail/device globals": properties_of(managed_globals=variables)}
    read = read_info(parse_property_sets(format_property_sets({**sets}))).managed_globals
    assert read == tuple(variables)


def test_accessor() -> None:
    assert read_info({}).global_accessor == ""
    assert (
        read_info(
            {"Dovetail/device global keeper": {**properties_of(exports=["k"])}}
        ).global_accessor
        == "k"
    )


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (4, "got a number"),
        (bytes(19), "expected at least 20 bytes, got 19"),
        (struct.pack("<5I", 0, 1, 16, 0, 0), "size or count is 0"),
        (struct.pack("<5I", 4, 0, 16, 0, 0), "size or count is 0"),
        (struct.pack("<5I", 8, 1, 4, 0, 0), "elements overlap"),
        (struct.pack("<5I", 4, 1, 16, 2, 0), "size or count is 0"),
        (struct.pack("<5I", 4, 2, 16, 0, 0) + bytes(7), "2 initial values of 4 bytes, got 7"),
        (struct.pack("<5I", 4, 1, 16, 1, 2**32 - 1) + bytes(4), "that the image does not have"),
    ],
)
def test_malformed_values_are_named(value: int | bytes, problem: str) -> None:
    good = struct.pack("<5I", 4, 1, 16, 0, 0)
    with pytest.raises(FormatError) as caught:
        _ = read_info({"Dovetail/device globals": {"good": good, "bad": value}}).managed_globals
    assert "property 'bad' of set 'Dovetail/device globals'" in caught.value.message
    assert problem in caught.value.message
