"""Encoding objects that a kernel takes by value.

An object comes as its bytes, as a ctypes structure, as a NumPy structured scalar, or, when the
members are known, as a tuple or a mapping of them.
"""

import ctypes
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from dovetail.kernel_info import Field, Parameter
from dovetail.runtime.number_encoding import ENCODINGS, EncodingError, Pack, describe, number_packer


def object_packer(parameter: Parameter) -> Pack:
    """A function that encodes an object, or raises `EncodingError`."""
    pack_fields = _fields_packer(parameter)

    def pack(value: object) -> bytes:
        if isinstance(value, tuple | Mapping):
            return pack_fields(cast(object, value))
        data = _memory_of(value)
        if len(data) != parameter.size:
            raise EncodingError(f"{len(data)} bytes were given, it has {parameter.size}")
        return data

    return pack


_MEMORY = (bytes, bytearray, memoryview, ctypes.Structure, ctypes.Union)


def is_object(value: object) -> bool:
    """Whether the value is written as an object, rather than as a number."""
    return isinstance(value, (tuple, Mapping, np.void, *_MEMORY))


def _memory_of(value: object) -> bytes:
    if isinstance(value, _MEMORY):
        return bytes(cast(bytes, value))
    if isinstance(value, np.void | np.ndarray) and value.ndim == 0:
        return value.tobytes()
    raise EncodingError(
        f"{describe(cast(object, value))} is no object;"
        " give bytes, a ctypes structure, a NumPy structured scalar, a tuple or a mapping"
    )


def _fields_packer(parameter: Parameter) -> Pack:
    if not parameter.fields or not all(_is_usable(f, parameter.size) for f in parameter.fields):
        return _refuse_fields
    packers = [(field, _field_packer(field)) for field in parameter.fields]

    def pack(value: object) -> bytes:
        data = bytearray(parameter.size)
        members = _members_of(value, parameter.fields)
        for (field, pack_field), member in zip(packers, members, strict=True):
            try:
                encoded = pack_field(member)
            except EncodingError as error:
                raise EncodingError(f"member '{field.name}': {error}") from None
            data[field.offset : field.offset + len(encoded)] = encoded
        return bytes(data)

    return pack


def _refuse_fields(value: object) -> bytes:
    raise EncodingError("its members are not known; give its bytes or a ctypes structure")


def _is_usable(field: Field, size: int) -> bool:
    """Programs come from anywhere: a member must be a number that lies within the object."""
    if field.encoding not in ENCODINGS or field.count < 1:
        return False
    return field.offset + field.count * int(field.encoding[1:]) <= size


def _field_packer(field: Field) -> Pack:
    pack_number = number_packer(field.encoding)
    if field.count == 1:
        return pack_number

    def pack(value: object) -> bytes:
        if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str):
            raise EncodingError(f"{describe(value)} is no sequence of {field.count} numbers")
        numbers = cast("Sequence[object]", value)
        if len(numbers) != field.count:
            raise EncodingError(f"{len(numbers)} numbers were given, it has {field.count}")
        return b"".join(map(pack_number, numbers))

    return pack


def _members_of(value: object, fields: tuple[Field, ...]) -> list[object]:
    names = [field.name for field in fields]
    if isinstance(value, Mapping):
        mapping = cast("Mapping[object, object]", value)
        if set(mapping) != set(names):
            given = ", ".join(map(str, mapping))
            raise EncodingError(f"members {given} were given, it has {', '.join(names)}")
        return [mapping[name] for name in names]
    members = list(cast("tuple[object, ...]", value))
    if len(members) != len(names):
        raise EncodingError(f"{len(members)} members were given, it has {', '.join(names)}")
    return members
