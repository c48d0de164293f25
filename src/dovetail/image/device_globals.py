"""The device globals of an image: what any runtime knows of them, and what ours does.

DPC++'s set has how large each is, and whether every image has its own. Ours has how they lie in an
image, and what they begin with.
"""

from dataclasses import dataclass
from struct import Struct
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter

_HEAD = Struct("<5I")
_IN_NO_IMAGE = (1 << 32) - 1


class DeviceGlobal(NamedTuple):
    """A variable that lives on the device."""

    identifier: str
    """What host and device know it by, in whichever source they are."""
    size: int
    """Bytes of the underlying type."""
    has_image_scope: bool
    """Whether it has `device_image_scope`: each image has the variable itself, not a pointer."""


@dataclass(frozen=True)
class KeptGlobal:
    """A variable that our runtime keeps on the device, or an array of such variables."""

    identifier: str
    size: int
    """Bytes of one element's value."""
    count: int
    """Of elements; 1 if it is no array."""
    stride: int
    """Bytes from one element to the next, in the image."""
    has_image_scope: bool
    """Whether the values are in the image; else there are pointers to them, one in each element."""
    number: int | None
    """What the image's accessor knows it by; None if no kernel uses it, and no image has it."""
    initial: bytes = b""
    """All values that it begins with, one behind the other; empty if they are zeros, or in the
    image itself."""

    @property
    def total(self) -> int:
        """Bytes of all values."""
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
        raise source.error(identifier, f"{len(numbers)} numbers instead of a size and a scope")
    size, scope = numbers
    if scope > 1:
        raise source.error(identifier, f"there is no scope {scope}")
    return DeviceGlobal(identifier, size, bool(scope))


def _encode_kept(into: SetWriter, variables: tuple[KeptGlobal, ...]) -> None:
    for each in variables:
        number = _IN_NO_IMAGE if each.number is None else each.number
        numbers = (each.size, each.count, each.stride, int(each.has_image_scope), number)
        into.properties[each.identifier] = _HEAD.pack(*numbers) + each.initial


def _decode_kept(source: SetReader) -> tuple[KeptGlobal, ...]:
    return tuple(_kept_global(source, identifier) for identifier in source)


def _kept_global(source: SetReader, identifier: str) -> KeptGlobal:
    data = source.data(identifier)
    if len(data) < _HEAD.size:
        raise source.error(identifier, f"{len(data)} bytes are too few")
    size, count, stride, scope, number = _HEAD.unpack_from(data)
    initial = data[_HEAD.size :]
    if not size or not count or stride < size or scope > 1:
        raise source.error(identifier, "no size, no elements, or elements within each other")
    if initial and len(initial) != size * count:
        raise source.error(identifier, f"{len(initial)} bytes for {count} values of {size}")
    if scope and number == _IN_NO_IMAGE and initial:
        raise source.error(identifier, "values of an image that does not have it")
    where = None if number == _IN_NO_IMAGE else number
    return KeptGlobal(identifier, size, count, stride, bool(scope), where, initial)


DEVICE_GLOBALS = Codec(_encode, _decode)
KEPT_GLOBALS = Codec(_encode_kept, _decode_kept)
