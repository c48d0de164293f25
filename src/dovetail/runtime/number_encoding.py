"""Encoding Python and NumPy numbers as C++ would hold them.

Nothing is cut silently: an integer that the type cannot hold, or a fraction for an integer type,
is refused. A float may lose precision, as it does in C++.
"""

import struct
from collections.abc import Callable
from numbers import Real
from operator import index
from typing import SupportsFloat, SupportsIndex, SupportsInt, cast

import numpy as np

Pack = Callable[[object], bytes]

_INTEGERS = {
    **{"i1": "b", "i2": "h", "i4": "i", "i8": "q"},
    **{"u1": "B", "u2": "H", "u4": "I", "u8": "Q"},
}
_FLOATS = {"f2": "e", "f4": "f", "f8": "d"}
_BOOL = "b1"

ENCODINGS = frozenset({*_INTEGERS, *_FLOATS, _BOOL})
"""The NumPy type codes of all numbers that kernels take."""


class EncodingError(Exception):
    """A value does not fit its parameter; the text says why."""


def number_packer(encoding: str) -> Pack:
    """A function that encodes a number, or raises `EncodingError`."""
    if encoding in _FLOATS:
        return _float_packer(_FLOATS[encoding])
    if encoding == _BOOL:
        # One byte that is 0 or 1: anything else in it is undefined behaviour in C++.
        return _integer_packer("B", 0, 1)
    bits = 8 * int(encoding[1:])
    if encoding.startswith("i"):
        return _integer_packer(_INTEGERS[encoding], -(1 << bits - 1), (1 << bits - 1) - 1)
    return _integer_packer(_INTEGERS[encoding], 0, (1 << bits) - 1)


def describe(value: object) -> str:
    """A value and its type, short enough for a message."""
    text = repr(value)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"{shown} of type {type(value).__name__}"


def _integer_packer(code: str, lowest: int, highest: int) -> Pack:
    to_bytes = struct.Struct(f"<{code}").pack

    def pack(value: object) -> bytes:
        number = value if type(value) is int else _as_integer(value)
        if not lowest <= number <= highest:
            raise EncodingError(f"{number} is not between {lowest} and {highest}")
        return to_bytes(number)

    return pack


def _as_integer(value: object) -> int:
    try:
        # NumPy's booleans, unlike Python's, do not call themselves integers.
        if isinstance(value, np.bool_):
            return int(cast("SupportsInt", value))
        return index(cast("SupportsIndex", value))
    except TypeError:
        raise EncodingError(f"{describe(cast(object, value))} is not an integer") from None


def _float_packer(code: str) -> Pack:
    to_bytes = struct.Struct(f"<{code}").pack

    def pack(value: object) -> bytes:
        if type(value) is not float and not isinstance(value, Real | np.bool_):
            raise EncodingError(f"{describe(value)} is not a number")
        try:
            return to_bytes(float(cast("SupportsFloat", value)))
        except OverflowError:
            raise EncodingError(f"{describe(cast(object, value))} is too large for it") from None

    return pack
