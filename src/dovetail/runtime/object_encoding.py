"""Encoding objects that a kernel accepts by value.

An object is given as its bytes, a ctypes structure, a NumPy scalar, or, if its members are known, a
tuple or mapping of them; a `std::complex` also as a number.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dovetail.kernel_info import Field, Parameter
from dovetail.runtime.number_encoding import (
    ENCODINGS,
    EncodingError,
    EncodingTypeError,
    Pack,
    complex_packer,
    describe,
    is_complex,
    number_packer,
)

_Members: TypeAlias = tuple[object, ...] | Mapping[object, object]
_Memory: TypeAlias = "bytes | bytearray | memoryview[int] | ctypes.Structure | ctypes.Union"

_MEMORY = (bytes, bytearray, memoryview, ctypes.Structure, ctypes.Union)


def object_packer(parameter: Parameter) -> Pack:
    """Return a function that encodes an object or raises `EncodingError`."""
    pack_members, pack_complex = _members_packer(parameter), complex_packer(parameter)

    def pack(value: object) -> bytes:
        if _has_members(value):
            return pack_members(value)
        if is_complex(value, parameter):
            return pack_complex(value)
        data = _object_bytes(value)
        if len(data) != parameter.size:
            raise EncodingError(f"expected {parameter.size} bytes, got {len(data)}")
        return data

    return pack


def is_object(value: object) -> bool:
    """Return whether the value is an object in one of these forms, rather than a number."""
    return _has_members(value) or _is_memory(value) or isinstance(value, np.void)


def _has_members(value: object) -> TypeGuard[_Members]:
    return isinstance(value, (tuple, Mapping))


def _is_memory(value: object) -> TypeGuard[_Memory]:
    return isinstance(value, _MEMORY)


def _is_scalar(value: object) -> "TypeGuard[np.generic | NDArray[np.generic]]":
    """Return whether the value is a scalar of NumPy, other than text."""
    if not _is_numpy(value) or value.ndim:
        return False
    return value.dtype.kind != "U" and not value.dtype.hasobject


def _is_numpy(value: object) -> "TypeGuard[np.generic | NDArray[np.generic]]":
    return isinstance(value, (np.generic, np.ndarray))


def _object_bytes(value: object) -> bytes:
    """Return the bytes of an object that is not a tuple or mapping.

    Raise `EncodingError` for other values.
    """
    if _is_memory(value):
        return bytes(value)
    if _is_scalar(value):
        return value.tobytes()
    raise EncodingTypeError(
        "expected bytes, a ctypes structure, a NumPy scalar, a tuple or a mapping,"
        f" got {describe(value)}"
    )


def _members_packer(parameter: Parameter) -> Callable[[_Members], bytes]:
    if not parameter.fields or not all(_is_usable(f, parameter.size) for f in parameter.fields):
        return _refuse_members
    packers = [(field, _field_packer(field)) for field in parameter.fields]

    def pack(value: _Members) -> bytes:
        data = bytearray(parameter.size)
        members = _in_order(value, parameter.fields)
        for (field, pack_field), member in zip(packers, members, strict=True):
            try:
                encoded = pack_field(member)
            except EncodingError as error:
                raise type(error)(f"member '{field.name}': {error}") from None
            data[field.offset : field.offset + len(encoded)] = encoded
        return bytes(data)

    return pack


def _refuse_members(_: _Members) -> bytes:
    raise EncodingTypeError("its members are not known; give its bytes or a ctypes structure")


def _is_usable(field: Field, size: int) -> bool:
    """Return whether a member is a number inside the object; the program may be damaged."""
    if field.encoding not in ENCODINGS or field.count < 1:
        return False
    return field.offset + field.count * int(field.encoding[1:]) <= size


def _field_packer(field: Field) -> Pack:
    pack_number = number_packer(field.encoding)
    if field.count == 1:
        return pack_number

    def pack(value: object) -> bytes:
        if not _is_sequence(value):
            raise EncodingTypeError(
                f"expected a sequence of {field.count} numbers, got {describe(value)}"
            )
        if len(value) != field.count:
            raise EncodingError(f"expected {field.count} numbers, got {len(value)}")
        return b"".join(map(pack_number, value))

    return pack


def _is_sequence(value: object) -> "TypeGuard[Sequence[object] | NDArray[np.generic]]":
    return isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)


def _in_order(value: _Members, fields: tuple[Field, ...]) -> list[object]:
    """Return the members in the order of the fields."""
    names = [field.name for field in fields]
    if isinstance(value, tuple):
        members = list(value)
        if len(members) != len(names):
            raise EncodingError(
                f"expected {len(names)} members ({', '.join(names)}), got {len(members)}"
            )
        return members
    if set(value) != set(names):
        given = ", ".join(map(str, value))
        raise EncodingError(f"expected members {', '.join(names)}, got {given}")
    return [value[name] for name in names]
