"""Encoding Python and NumPy numbers as C++ stores them.

Nothing is truncated silently: integers out of the type's range, and fractions for integer types,
raise an error. A float may lose precision, as it does in C++.

Images do not list the members of `std::complex`. Such a parameter is recognized by the spelling of
its type. Under another name it is a class with unknown members, which takes complex numbers if its
size and alignment are those of a complex type.
"""

import re
import struct
from collections.abc import Callable
from numbers import Complex, Real
from operator import index
from typing import SupportsIndex, TypeGuard

import numpy as np

from dovetail.kernel_info import Parameter

Pack = Callable[[object], bytes]

_INTEGERS = {
    **{"i1": "b", "i2": "h", "i4": "i", "i8": "q"},
    **{"u1": "B", "u2": "H", "u4": "I", "u8": "Q"},
}
_FLOATS = {"f2": "e", "f4": "f", "f8": "d"}
_BOOL = "b1"

_SPELLED_COMPLEX = re.compile(r"(const )?(::)?(std::)?complex<.*>")
_COMPLEX_PARTS = {(4, 2): "f2", (8, 4): "f4", (16, 8): "f8"}
"""The type of the real and the imaginary part, by size and alignment of the class."""

ENCODINGS = frozenset({*_INTEGERS, *_FLOATS, _BOOL})
"""The NumPy type codes of all numbers that kernels accept."""


class EncodingError(Exception):
    """A value does not fit its parameter."""

    is_type = False
    """Whether values of another type are expected."""


class EncodingTypeError(EncodingError):
    """A value does not have the type of its parameter."""

    is_type = True


def number_packer(encoding: str) -> Pack:
    """Return a function that encodes a number or raises `EncodingError`."""
    if encoding in _FLOATS:
        return _float_packer(encoding)
    if encoding == _BOOL:
        # One byte that is 0 or 1; other values are undefined behavior in C++.
        return _integer_packer("B", 0, 1)
    bits = 8 * int(encoding[1:])
    if encoding.startswith("i"):
        return _integer_packer(_INTEGERS[encoding], -(1 << bits - 1), (1 << bits - 1) - 1)
    return _integer_packer(_INTEGERS[encoding], 0, (1 << bits) - 1)


def describe(value: object) -> str:
    """Return a value and its type, short enough for a message."""
    text = repr(value)
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return f"{shown} of type {type(value).__name__}"


def _integer_packer(code: str, lowest: int, highest: int) -> Pack:
    to_bytes = struct.Struct(f"<{code}").pack

    def pack(value: object) -> bytes:
        number = value if type(value) is int else as_integer(value)
        if number is None:
            raise EncodingTypeError(f"expected an integer, got {describe(value)}")
        if not lowest <= number <= highest:
            raise EncodingError(f"expected a number from {lowest} to {highest}, got {number}")
        return to_bytes(number)

    return pack


def as_integer(value: object) -> int | None:
    """Return the value as an integer, or None if it is not one."""
    if _has_index(value):
        try:
            return index(value)
        except TypeError:
            # Such as an array, unless it contains a single integer.
            pass
    return int(value) if _is_numpy_bool(value) else None


def _has_index(value: object) -> TypeGuard[SupportsIndex]:
    # `isinstance` takes several times as long.
    return hasattr(value, "__index__")


def _is_numpy_bool(value: object) -> "TypeGuard[np.bool_[bool]]":
    """Return whether the value is NumPy's boolean, which is neither an integer nor a float."""
    return isinstance(value, np.bool_)


def _float_packer(encoding: str) -> Pack:
    to_bytes = struct.Struct(f"<{_FLOATS[encoding]}").pack

    def pack(value: object) -> bytes:
        try:
            return to_bytes(value if type(value) is float else _as_float(value))
        except OverflowError:
            raise EncodingError(
                f"expected a number in the range of {np.dtype(encoding)}, got {describe(value)}"
            ) from None

    return pack


def _as_float(value: object) -> float:
    if isinstance(value, Real) or _is_numpy_bool(value):
        return float(value)
    raise EncodingTypeError(f"expected a number, got {describe(value)}")


def is_complex(value: object, parameter: Parameter) -> TypeGuard[Complex]:
    """Return whether the value is a number that the parameter takes as a complex one."""
    if parameter.fields or (parameter.size, parameter.align) not in _COMPLEX_PARTS:
        return False
    if not isinstance(value, Complex):
        return False
    return not isinstance(value, Real) or _SPELLED_COMPLEX.fullmatch(parameter.type) is not None


def complex_packer(parameter: Parameter) -> Pack:
    """Return a function that encodes a value of which `is_complex` is true."""
    pack_part = number_packer(_COMPLEX_PARTS.get((parameter.size, parameter.align), "f8"))

    def pack(value: object) -> bytes:
        assert isinstance(value, Complex)
        number = complex(value)
        return pack_part(number.real) + pack_part(number.imag)

    return pack
