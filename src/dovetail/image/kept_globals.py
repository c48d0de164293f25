"""The device globals that our runtime keeps: how they lie in an image, and what they begin with."""

from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct

from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader, SetWriter

KEPT_GLOBALS_SET = "Dovetail/device globals"
KEEPER_SET = "Dovetail/device global keeper"
"""Holds the symbol of the kernel that copies to and from the image's variables."""

_HEAD = Struct("<5I")
_IN_NO_IMAGE = (1 << 32) - 1


@dataclass(frozen=True)
class KeptGlobal:
    """A variable that lives on the device, or an array of such variables."""

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
    """What the image's keeper knows it by; None if no kernel uses it, and no image has it."""
    initial: bytes = b""
    """All values that it begins with, one behind the other; empty if they are zeros, or in the
    image itself."""

    @property
    def total(self) -> int:
        """Bytes of all values."""
        return self.size * self.count


def kept_global_properties(variables: Iterable[KeptGlobal]) -> dict[str, int | bytes]:
    """What goes into "Dovetail/device globals"."""
    into = SetWriter(KEPT_GLOBALS_SET)
    for each in variables:
        number = _IN_NO_IMAGE if each.number is None else each.number
        numbers = (each.size, each.count, each.stride, int(each.has_image_scope), number)
        into.properties[each.identifier] = _HEAD.pack(*numbers) + each.initial
    return into.properties


def kept_globals_of(sets: PropertySets) -> tuple[KeptGlobal, ...]:
    """The variables that these sets list."""
    source = SetReader(KEPT_GLOBALS_SET, sets)
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


def keeper_of(sets: PropertySets) -> str:
    """The kernel that copies to and from the image's variables; empty if there is none."""
    return next(iter(SetReader(KEEPER_SET, sets)), "")
