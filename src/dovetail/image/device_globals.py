"""The device globals of an image, as described for DPC++'s runtime and for this one.

DPC++'s set has their sizes and whether each image has its own instance. The set of this project
has their layout in the image and their initial values.
"""

from dataclasses import dataclass
from struct import Struct
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter

_HEAD = Struct("<5I")
_IN_NO_IMAGE = (1 << 32) - 1


class DeviceGlobal(NamedTuple):
    """A device global as DPC++'s runtime sees it.

    The fields are JSON keys of `dovetail inspect --json` (docs/formats.md).
    """

    identifier: str
    """The identifier that host and device share, unique across sources."""
    size: int
    """Size of the underlying type in bytes."""
    has_image_scope: bool
    """Whether it has `device_image_scope`: each image has the variable itself, not a pointer."""


@dataclass(frozen=True)
class ManagedGlobal:
    """A device global, or an array of them, whose memory this runtime manages."""

    identifier: str
    size: int
    """Size of one element's value in bytes."""
    count: int
    """Number of elements; 1 if it is not an array."""
    stride: int
    """Distance between elements in the image, in bytes."""
    has_image_scope: bool
    """Whether the image holds the values; otherwise each element is a pointer to its value."""
    number: int | None
    """Its number in the image's accessor kernel; None if no kernel uses it and no image has it."""
    initial: bytes = b""
    """The initial values, concatenated; empty if they are zeros or in the image itself."""

    @property
    def total(self) -> int:
        """Total size of the values in bytes."""
        return self.size * self.count


def _encode(into: SetWriter, variables: tuple[DeviceGlobal, ...]) -> None:
    for each in variables:
        if each.identifier in into.properties:
            raise into.error(each.identifier, "two device globals have this identifier")
        into.add_array(each.identifier, (each.size, int(each.has_image_scope)), "I")


def _decode(source: SetReader) -> tuple[DeviceGlobal, ...]:
    return tuple(_device_global(source, identifier) for identifier in source)


def _device_global(source: SetReader, identifier: str) -> DeviceGlobal:
    numbers = source.array(identifier, "I")
    if len(numbers) != 2:
        raise source.error(identifier, f"expected a size and a scope, got {len(numbers)} numbers")
    size, scope = numbers
    if scope > 1:
        raise source.error(identifier, f"expected scope 0 or 1, got {scope}")
    return DeviceGlobal(identifier, size, bool(scope))


def _encode_managed(into: SetWriter, variables: tuple[ManagedGlobal, ...]) -> None:
    for each in variables:
        number = _IN_NO_IMAGE if each.number is None else each.number
        numbers = (each.size, each.count, each.stride, int(each.has_image_scope), number)
        into.properties[each.identifier] = _HEAD.pack(*numbers) + each.initial


def _decode_managed(source: SetReader) -> tuple[ManagedGlobal, ...]:
    return tuple(_managed_global(source, identifier) for identifier in source)


def _managed_global(source: SetReader, identifier: str) -> ManagedGlobal:
    data = source.data(identifier)
    if len(data) < _HEAD.size:
        raise source.error(identifier, f"expected at least {_HEAD.size} bytes, got {len(data)}")
    size, count, stride, scope, number = _HEAD.unpack_from(data)
    initial = data[_HEAD.size :]
    if not size or not count or stride < size or scope > 1:
        raise source.error(identifier, "size or count is 0, or elements overlap")
    if initial and len(initial) != size * count:
        problem = f"expected {count} initial values of {size} bytes, got {len(initial)} bytes"
        raise source.error(identifier, problem)
    if scope and number == _IN_NO_IMAGE and initial:
        raise source.error(identifier, "initial values of a variable that the image does not have")
    where = None if number == _IN_NO_IMAGE else number
    return ManagedGlobal(identifier, size, count, stride, bool(scope), where, initial)


DEVICE_GLOBALS = Codec(_encode, _decode)
MANAGED_GLOBALS = Codec(_encode_managed, _decode_managed)
