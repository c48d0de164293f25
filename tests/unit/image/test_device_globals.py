"""The device globals of an image."""

import struct

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    DeviceGlobal,
    format_property_sets,
    parse_property_sets,
    read_info,
)

UINT32 = st.integers(0, 2**32 - 1)
GLOBALS = st.lists(
    st.builds(DeviceGlobal, st.text("ab_1", min_size=1), UINT32, st.booleans()),
    unique_by=lambda each: each.identifier,
)


def test_golden() -> None:
    device_globals = (DeviceGlobal("uid_a", 4, False), DeviceGlobal("uid_b", 4096, True))
    text = format_property_sets(
        {"SYCL/device globals": properties_of(device_globals=device_globals)}
    )
    assert text == (
        b"[SYCL/device globals]\nuid_a=2|ABAAAAAAAAABAAAAAAAAAA\nuid_b=2|ABAAAAAAAAAAQAAABAAAAA\n"
    )
    assert parse_property_sets(text)["SYCL/device globals"] == {
        "uid_a": struct.pack("<2I", 4, 0),
        "uid_b": struct.pack("<2I", 4096, 1),
    }
    assert read_info(parse_property_sets(text)).device_globals == device_globals


def test_none() -> None:
    assert properties_of(device_globals=[]) == {}
    assert read_info({}).device_globals == ()


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (4, "got a number"),
        (b"", "0 numbers"),
        (bytes(4), "1 numbers"),
        (bytes(12), "3 numbers"),
        (bytes(7), "7 bytes"),
        (struct.pack("<2I", 4, 2), "scope 0 or 1, got 2"),
    ],
)
def test_malformed_values_are_named(value: int | bytes, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        _ = read_info({"SYCL/device globals": {"good": bytes(8), "bad": value}}).device_globals
    assert "property 'bad' of set 'SYCL/device globals'" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize(
    "device_globals",
    [
        [DeviceGlobal("a", -1, False)],
        [DeviceGlobal("a", 2**32, False)],
        [DeviceGlobal("a", 4, False), DeviceGlobal("a", 4, True)],
    ],
)
def test_invalid_values_are_not_written(device_globals: list[DeviceGlobal]) -> None:
    with pytest.raises(FormatError, match="'a' of set 'SYCL/device globals'"):
        properties_of(device_globals=device_globals)


@given(GLOBALS)
def test_what_is_written_can_be_read(device_globals: list[DeviceGlobal]) -> None:
    text = format_property_sets(
        {"SYCL/device globals": properties_of(device_globals=device_globals)}
    )
    assert read_info(parse_property_sets(text)).device_globals == tuple(device_globals)
