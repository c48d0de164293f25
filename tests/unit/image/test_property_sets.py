"""Property set text: golden values, errors, round trips."""

import struct

import pytest
from effort import effort
from hypothesis import given, strategies as st

from dovetail.errors import FormatError
from dovetail.image import (
    PropertySets,
    format_property_sets,
    parse_property_sets,
)

KEYS = st.from_regex(r"[A-Za-z_@$.:é][A-Za-z0-9_@$.|\]\[ é]{0,12}", fullmatch=True)
VALUES = st.integers(0, 2**32 - 1) | st.binary(max_size=40)
SETS = st.dictionaries(
    st.from_regex(r"[A-Za-z\[\]=/ é]{1,12}", fullmatch=True),
    st.dictionaries(KEYS, VALUES, min_size=1, max_size=4),
    max_size=4,
)

# What DPC++ writes for these bytes.
GOLDEN_BYTES = [
    (struct.pack("<2I", 1, 6), b"ABAAAAAAAAQAAAAAGAAAAA"),
    (struct.pack("<I", 6), b"gAAAAAAAAAgBAAAA"),
    (b"", b"AAAAAAAAAAA"),
    (b"intel_gpu_pvc", b"oBAAAAAAAAQauRXZs91ZwV3XwZ3Y"),
    (b"spir64-unknown-unknown", b"wCAAAAAAAAwcwlmc2QTL152au92du1Sdutmbvdnb"),
    (struct.pack("<3I", 5, 3, 2), b"gBAAAAAAAAQBAAAADAAAAIAAAAA"),
]


@pytest.mark.parametrize(("value", "text"), GOLDEN_BYTES)
def test_byte_arrays_are_written_as_dpcpp_does(value: bytes, text: bytes) -> None:
    line = b"[s]\nk=2|" + text + b"\n"
    assert format_property_sets({"s": {"k": value}}) == line
    assert parse_property_sets(line) == {"s": {"k": value}}


def test_sets_keep_their_order_and_empty_ones_are_omitted() -> None:
    sets: PropertySets = {"b": {"y": 1, "x": 4294967295}, "none": {}, "a/b c": {"k@l": 0}}
    assert format_property_sets(sets) == b"[b]\ny=1|1\nx=1|4294967295\n[a/b c]\nk@l=1|0\n"
    assert format_property_sets({}) == b""


def test_empty_sets_blank_lines_and_a_missing_last_line_break_are_read() -> None:
    assert parse_property_sets(b"") == {}
    assert parse_property_sets(b"\n[a]\n\n[b]\nk=1|2") == {"a": {}, "b": {"k": 2}}


BAD_LINES = [
    (b"k=1|1", 1, "before the first set"),
    (b"[a]\nk=1|1\n[a]", 3, "set 'a' appears twice"),
    (b"[a]\n[a]", 2, "set 'a' appears twice"),
    (b"[]", 1, "expected the name of a set"),
    (b"[", 1, "expected the name of a set"),
    (b"[a", 1, "expected the name of a set"),
    (b"[a]\r", 1, "expected the name of a set"),
    (b"[a\x01]", 1, "expected the name of a set"),
    (b"[\xff]", 1, "decode"),
    (b"[a]\nk=1|1\nk=1|1", 3, "key 'k' appears twice"),
    (b"[a]\ngarbage", 2, "expected [set name] or key=tag|value"),
    (b"[a]\nk=1", 2, "expected [set name] or key=tag|value"),
    (b"[a]\n=1|1", 2, "cannot be a key"),
    (b"[a]\nk\t=1|1", 2, "cannot be a key"),
    (b"[a]\nk=3|1", 2, "unknown tag '3'"),
    (b"[a]\nk=|1", 2, "unknown tag ''"),
    (b"[a]\nk=1|", 2, "decimal"),
    (b"[a]\nk=1|-1", 2, "decimal"),
    (b"[a]\nk=1|+1", 2, "decimal"),
    (b"[a]\nk=1|01", 2, "decimal"),
    (b"[a]\nk=1| 1", 2, "decimal"),
    (b"[a]\nk=1|1_0", 2, "decimal"),
    (b"[a]\nk=1|4294967296", 2, "decimal"),
    (b"[a]\nk=1|" + b"9" * 5000, 2, "decimal"),
    (b"[a]\nk=2|", 2, "claims 0 bits"),
    (b"[a]\nk=2|AAAAAAAAAA", 2, "claims 0 bits"),
    (b"[a]\nk=2|AAAAAAAAAAA=", 2, "'=' is not a base64 character"),
    (b"[a]\nk=2|AAAAA-AAAAA", 2, "'-' is not a base64 character"),
    (b"[a]\nk=2|AAAAAAAAAAA\r", 2, "is not a base64 character"),
    (b"[a]\nk=2|AAAAAAAAAAAAA", 2, "13 base64 characters"),
    (b"[a]\nk=2|AAAAAAAAAAQ", 2, "bits after the last byte"),
    (b"[a]\nk=2|IAAAAAAAAAA", 2, "claims 8 bits and has 0"),
    (b"[a]\nk=2|HAAAAAAAAAQA", 2, "claims 7 bits and has 8"),
    (b"[a]\nk=2|AAAAAAAAAAAA", 2, "claims 0 bits and has 8"),
    (b"[a]\nk=2|AAAAAAAAAAI", 2, "claims"),
]


@pytest.mark.parametrize(("text", "line", "problem"), BAD_LINES)
def test_errors_name_the_line(text: bytes, line: int, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_property_sets(text)
    assert f"line {line}:" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize(
    "sets",
    [
        {"": {"k": 1}},
        {"a\nb": {"k": 1}},
        {"a\ud800": {"k": 1}},
        {"a": {"": 1}},
        {"a": {"k=l": 1}},
        {"a": {"[k": 1}},
        {"a": {"k\n": 1}},
        {"a": {"\udfff": 1}},
        {"a": {"k": -1}},
        {"a": {"k": 2**32}},
    ],
)
def test_invalid_values_are_not_written(sets: PropertySets) -> None:
    with pytest.raises(FormatError):
        format_property_sets(sets)


@given(SETS)
def test_what_is_written_can_be_read(sets: PropertySets) -> None:
    text = format_property_sets(sets)
    read = parse_property_sets(text)
    assert read == sets
    assert list(read) == list(sets)
    assert format_property_sets(read) == text


@given(st.binary(max_size=60) | st.text("[]=|\n1289Ak", max_size=60).map(str.encode))
def test_any_text_is_read_or_refused(text: bytes) -> None:
    try:
        sets = parse_property_sets(text)
    except FormatError:
        return
    without_empty = {name: properties for name, properties in sets.items() if properties}
    assert parse_property_sets(format_property_sets(sets)) == without_empty


@given(st.binary(max_size=70))
def test_the_encoding_is_the_one_bit_by_bit(value: bytes) -> None:
    """Compare with the definition: six bits per character, the lowest first."""
    data = struct.pack("<Q", len(value) * 8) + value
    number = int.from_bytes(data, "little")
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    digits = range(0, len(data) * 8, 6)
    expected = bytes(alphabet[number >> shift & 63] for shift in digits)
    assert format_property_sets({"s": {"k": value}}) == b"[s]\nk=2|" + expected + b"\n"


def test_large_values_take_linear_time() -> None:
    def there_and_back(value: bytes) -> bytes | int:
        return parse_property_sets(format_property_sets({"s": {"k": value}}))["s"]["k"]

    small, large = (bytes(range(256)) * count for count in (1 << 12, 1 << 16))
    assert there_and_back(large) == large
    # 16 times the size; quadratic cost would be 256 times the time.
    assert effort(lambda: there_and_back(large)) < 64 * effort(lambda: there_and_back(small))
