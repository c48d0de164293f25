"""Symbols in property sets and in symbols files."""

import pytest
from effort import effort
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.image import (
    format_property_sets,
    format_symbols,
    parse_property_sets,
    parse_symbols,
    read_info,
)
from dovetail.image.symbols import MAX_SYMBOLS_SIZE

SYMBOLS = st.lists(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8), unique=True
)


def test_golden_sets() -> None:
    text = format_property_sets(
        {
            "SYCL/exported symbols": {**properties_of(exports=["_Z1fv", "g"])},
            "SYCL/imported symbols": {**properties_of(exports=iter(["_Z1hi"]))},
        }
    )
    assert text == (
        b"[SYCL/exported symbols]\n_Z1fv=1|1\ng=1|1\n[SYCL/imported symbols]\n_Z1hi=1|1\n"
    )
    sets = parse_property_sets(text)
    assert read_info(sets).exports == ("_Z1fv", "g")
    assert read_info(sets).imports == ("_Z1hi",)


def test_without_a_set_there_are_no_symbols() -> None:
    assert properties_of(exports=[]) == {}
    assert read_info({}).exports == read_info({}).imports == ()


def test_a_symbol_is_a_number() -> None:
    with pytest.raises(FormatError, match=r"'f' of set .*exported symbols': expected a number"):
        _ = read_info({"SYCL/exported symbols": {"f": b""}}).exports
    with pytest.raises(FormatError, match="'f' of set 'SYCL/imported symbols'"):
        _ = read_info({"SYCL/imported symbols": {"f": b"1"}}).imports


def test_golden_file() -> None:
    assert format_symbols(["_Z1fv", "å b"]) == "_Z1fv\nå b\n".encode()
    assert parse_symbols("_Z1fv\nå b\n".encode()) == ("_Z1fv", "å b")
    assert parse_symbols(b"a\nb") == ("a", "b")
    assert format_symbols([]) == b""
    assert parse_symbols(b"") == ()


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (b"\n", 1, "an empty name"),
        (b"a\n\nb\n", 2, "an empty name"),
        (b"a\n\n", 2, "an empty name"),
        (b"a\r\n", 1, r"control character '\r'"),
        (b"a\nb\x00\n", 2, r"control character '\x00'"),
        (b"a\nb\nc\xc2\x9b\n", 3, r"control character '\x9b'"),
        (b"a\nb\na\n", 3, "symbol 'a' appears twice"),
        (b"a\n\xff\n", 2, "expected UTF-8 text"),
    ],
)
def test_errors_name_the_line(text: bytes, line: int, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_symbols(text)
    assert f"symbols, line {line}:" in caught.value.message
    assert problem in caught.value.message


@pytest.mark.parametrize(
    "symbols", [[""], ["a\nb"], ["a\x7f"], ["\x85"], ["a", "a"], ["\ud800"], ["a" * 2**24]]
)
def test_invalid_values_are_not_written(symbols: list[str]) -> None:
    with pytest.raises(FormatError, match="symbols: "):
        format_symbols(symbols)


def test_size_is_bounded_and_reading_linear() -> None:
    with pytest.raises(FormatError, match="more than the 16777216 allowed"):
        parse_symbols(b"x" * (MAX_SYMBOLS_SIZE + 1))
    few, many = (b"".join(b"%d\n" % n for n in range(count)) for count in (20_000, 320_000))
    assert len(parse_symbols(many)) == 320_000
    # 16 times the size; quadratic cost would be 256 times the time.
    assert effort(lambda: parse_symbols(many)) < 64 * effort(lambda: parse_symbols(few))


@given(SYMBOLS)
def test_what_is_written_can_be_read(symbols: list[str]) -> None:
    text = format_symbols(symbols)
    assert parse_symbols(text) == tuple(symbols)
    assert format_symbols(iter(symbols)) == text


@given(st.binary(max_size=30) | st.text("ab\n\x85é", max_size=30).map(str.encode))
def test_any_text_is_read_or_refused(text: bytes) -> None:
    try:
        symbols = parse_symbols(text)
    except FormatError:
        return
    assert format_symbols(symbols).removesuffix(b"\n") == text.removesuffix(b"\n")
