"""The specialization constants of an image, as described for DPC++'s runtime.

A constant consists of scalars: each has a `SpecId` in SPIR-V, and a place in the bytes of the
constant's value. Scalars that device code does not read are left out.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dovetail.errors import FormatError
from dovetail.image.typed_set import Codec, SetReader, SetWriter

_PADDING = (1 << 32) - 1
"""The number in place of a `SpecId` for bytes at the end of a constant that have none."""
_ALL = "all"


class ConstantScalar(NamedTuple):
    """A scalar in the value of a specialization constant.

    The fields are JSON keys of `dovetail inspect --json` (docs/formats.md).
    """

    spec_id: int
    offset: int
    """Its place in the value, in bytes."""
    size: int


class SpecializationConstant(NamedTuple):
    """A specialization constant that code of an image reads."""

    identifier: str
    """The identifier that host and device share, unique across sources."""
    size: int
    """Size of the value in bytes."""
    scalars: tuple[ConstantScalar, ...]
    """In ascending order of their offsets."""


def default_values(
    constants: Sequence[SpecializationConstant], data: bytes | None
) -> dict[str, bytes]:
    """Return the default values of an image's constants by identifier, from their concatenation."""
    data = data or b""
    total = sum(each.size for each in constants)
    if len(data) != total:
        raise FormatError(
            f"expected {total} bytes of default values of specialization constants, got {len(data)}"
        )
    values: dict[str, bytes] = {}
    place = 0
    for constant in constants:
        values[constant.identifier] = data[place : place + constant.size]
        place += constant.size
    return values


def _encode(into: SetWriter, constants: tuple[SpecializationConstant, ...]) -> None:
    for constant in constants:
        numbers = [number for scalar in constant.scalars for number in scalar]
        end = max((scalar.offset + scalar.size for scalar in constant.scalars), default=0)
        if end < constant.size:
            numbers += (_PADDING, end, constant.size - end)
        into.add_array(constant.identifier, tuple(numbers), "I")


def _decode(source: SetReader) -> tuple[SpecializationConstant, ...]:
    constants = tuple(_constant(source, identifier) for identifier in source)
    ids = [scalar.spec_id for each in constants for scalar in each.scalars]
    if len(set(ids)) != len(ids):
        raise source.set_error("two scalars have the same number")
    return constants


def _constant(source: SetReader, identifier: str) -> SpecializationConstant:
    numbers = source.array(identifier, "I")
    if not numbers or len(numbers) % 3:
        raise source.error(identifier, f"expected triples of numbers, got {len(numbers)} numbers")
    scalars = list(map(ConstantScalar, numbers[::3], numbers[1::3], numbers[2::3]))
    end = 0
    for scalar in scalars:
        if scalar.offset < end or not scalar.size:
            raise source.error(identifier, "its scalars overlap or are empty")
        end = scalar.offset + scalar.size
    if scalars[-1].spec_id == _PADDING:
        scalars.pop()
    if not scalars:
        raise source.error(identifier, "it has no scalar")
    return SpecializationConstant(identifier, end, tuple(scalars))


def _encode_defaults(into: SetWriter, values: bytes) -> None:
    into.add_data(_ALL, values)


def _decode_defaults(source: SetReader) -> bytes:
    return source.data(_ALL)


def _encode_kinds(into: SetWriter, kinds: Mapping[str, str]) -> None:
    for identifier, text in kinds.items():
        into.add_text(identifier, text)


def _decode_kinds(source: SetReader) -> Mapping[str, str]:
    return {identifier: source.text(identifier) for identifier in source}


SPECIALIZATION_CONSTANTS = Codec(_encode, _decode)
DEFAULT_VALUES = Codec(_encode_defaults, _decode_defaults)
SCALAR_KINDS = Codec(_encode_kinds, _decode_kinds)
