"""The names of functions in an image: which it offers to others, needs from others, or starts.

In property sets a symbol is a key with the number 1. A symbols file, which a file table names
beside the code of an image, has one a line.
"""

import re
from collections.abc import Iterable

from dovetail.errors import FormatError
from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader

EXPORTED_SYMBOLS_SET = "SYCL/exported symbols"
IMPORTED_SYMBOLS_SET = "SYCL/imported symbols"
INLINE_SYMBOLS_SET = "Dovetail/inline symbols"
"""Ours: those of the exported ones that other images may define in the same way."""
ASSERT_USED_SET = "SYCL/assert used"
"""The kernels that can fail an assertion."""

MAX_SYMBOLS_SIZE = 16 * 2**20
"""Of a symbols file in bytes. More is no such file."""

# A line break would end the name, and any other control character is a sign of damage.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def symbol_properties(symbols: Iterable[str]) -> dict[str, int]:
    """What goes into a set of symbols."""
    return dict.fromkeys(symbols, 1)


def exported_symbols_of(sets: PropertySets) -> tuple[str, ...]:
    """What other images may call in this one."""
    return symbols_in(sets, EXPORTED_SYMBOLS_SET)


def inline_symbols_of(sets: PropertySets) -> tuple[str, ...]:
    """The exported functions that are inline: any image's definition will do."""
    return symbols_in(sets, INLINE_SYMBOLS_SET)


def imported_symbols_of(sets: PropertySets) -> tuple[str, ...]:
    """What this image calls and other images have to define."""
    return symbols_in(sets, IMPORTED_SYMBOLS_SET)


def asserting_kernels_of(sets: PropertySets) -> tuple[str, ...]:
    """The kernels of this image that can fail an assertion."""
    return symbols_in(sets, ASSERT_USED_SET)


def symbols_in(sets: PropertySets, set_name: str) -> tuple[str, ...]:
    """The symbols in a set of symbols; none if there is no such set."""
    source = SetReader(set_name, sets)
    for symbol in source:
        source.number(symbol)
    return tuple(source)


def format_symbols(symbols: Iterable[str]) -> bytes:
    """The content of a symbols file."""
    collected: dict[str, None] = {}
    try:
        for symbol in symbols:
            _add(collected, symbol)
        text = "".join(f"{symbol}\n" for symbol in collected).encode()
    except ValueError as error:
        raise FormatError(f"symbols: {error}") from None
    _check_length(text)
    return text


def parse_symbols(data: bytes) -> tuple[str, ...]:
    """The symbols in a symbols file; `FormatError` names the line that is wrong."""
    _check_length(data)
    collected: dict[str, None] = {}
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    for number, line in enumerate(lines, start=1):
        try:
            _add(collected, line.decode())
        except ValueError as error:
            raise FormatError(f"symbols, line {number}: {error}") from None
    return tuple(collected)


def _add(symbols: dict[str, None], symbol: str) -> None:
    if not symbol:
        raise ValueError("an empty name")
    strange = _CONTROL.search(symbol)
    if strange:
        raise ValueError(f"the control character {strange[0]!r}")
    if symbol in symbols:
        raise ValueError(f"symbol '{symbol}' is there twice")
    symbols[symbol] = None


def _check_length(text: bytes) -> None:
    if len(text) > MAX_SYMBOLS_SIZE:
        raise FormatError(
            f"symbols: {len(text)} bytes are more than the {MAX_SYMBOLS_SIZE} allowed"
        )
