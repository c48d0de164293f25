"""The device globals that the runtime keeps, as images tell of them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.errors import FormatError
from dovetail.image import (
    KEEPER_SET,
    KEPT_GLOBALS_SET,
    KeptGlobal,
    format_property_sets,
    keeper_of,
    kept_global_properties,
    kept_globals_of,
    parse_property_sets,
    symbol_properties,
)


@st.composite
def kept_globals(draw: st.DrawFn) -> KeptGlobal:
    size, count = draw(st.integers(1, 9)), draw(st.integers(1, 4))
    has_image_scope = draw(st.booleans())
    values = st.binary(min_size=size * count, max_size=size * count)
    return KeptGlobal(
        draw(st.text("ab_$1", min_size=1)),
        size,
        count,
        draw(st.integers(size, 99)),
        has_image_scope,
        draw(st.none() | st.integers(0, 99)),
        b"" if has_image_scope else draw(st.just(b"") | values),
    )


@given(st.lists(kept_globals(), unique_by=lambda each: each.identifier))
def test_round_trip(variables: list[KeptGlobal]) -> None:
    sets = {KEPT_GLOBALS_SET: kept_global_properties(variables)}
    read = kept_globals_of(parse_property_sets(format_property_sets({**sets})))
    assert read == tuple(variables)


def test_keeper() -> None:
    assert keeper_of({}) == ""
    assert keeper_of({KEEPER_SET: {**symbol_properties(["k"])}}) == "k"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (4, "is a number"),
        (bytes(19), "19 bytes are too few"),
        (struct.pack("<5I", 0, 1, 16, 0, 0), "no size"),
        (struct.pack("<5I", 4, 0, 16, 0, 0), "no elements"),
        (struct.pack("<5I", 8, 1, 4, 0, 0), "within each other"),
        (struct.pack("<5I", 4, 1, 16, 2, 0), "no elements"),
        (struct.pack("<5I", 4, 2, 16, 0, 0) + bytes(7), "7 bytes for 2 values of 4"),
        (struct.pack("<5I", 4, 1, 16, 1, 2**32 - 1) + bytes(4), "does not have it"),
    ],
)
def test_what_is_malformed_is_named(value: int | bytes, problem: str) -> None:
    good = struct.pack("<5I", 4, 1, 16, 0, 0)
    with pytest.raises(FormatError) as caught:
        kept_globals_of({KEPT_GLOBALS_SET: {"good": good, "bad": value}})
    assert "property 'bad' of set 'Dovetail/device globals'" in caught.value.message
    assert problem in caught.value.message
