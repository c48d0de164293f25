"""The device globals of an image: how large each is, and whether every image has its own."""

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader, SetWriter

DEVICE_GLOBALS_SET = "SYCL/device globals"
"""DPC++'s: identifier -> two `u32`."""


@dataclass(frozen=True)
class DeviceGlobal:
    """A variable that lives on the device."""

    identifier: str
    """What host and device know it by, in whichever source they are."""
    size: int
    """Bytes of the underlying type."""
    has_image_scope: bool
    """Whether it has `device_image_scope`: each image has the variable itself, not a pointer."""


def device_global_properties(device_globals: Iterable[DeviceGlobal]) -> dict[str, int | bytes]:
    """What goes into "SYCL/device globals"."""
    into = SetWriter(DEVICE_GLOBALS_SET)
    for each in device_globals:
        if each.identifier in into.properties:
            raise into.error(each.identifier, "two device globals have this identifier")
        into.add_array(each.identifier, (each.size, int(each.has_image_scope)), "I")
    return into.properties


def device_globals_of(sets: PropertySets) -> tuple[DeviceGlobal, ...]:
    """The device globals that these sets list."""
    source = SetReader(DEVICE_GLOBALS_SET, sets)
    return tuple(_device_global(source, identifier) for identifier in source)


def _device_global(source: SetReader, identifier: str) -> DeviceGlobal:
    numbers = source.array(identifier, "I")
    if len(numbers) != 2:
        raise source.error(identifier, f"{len(numbers)} numbers instead of a size and a scope")
    size, scope = numbers
    if scope > 1:
        raise source.error(identifier, f"there is no scope {scope}")
    return DeviceGlobal(identifier, size, bool(scope))
