"""Property sets as text, and every typed set of images."""

from __future__ import annotations

from random import Random

from dovetail.image import format_property_sets, parse_property_sets
from fuzz.reader import CONTAINER_COUNT, Reader
from fuzz.readers.image_sets import edited_sets, read_sets, small_sets


def _seeds() -> list[bytes]:
    return [format_property_sets(sets) for sets in small_sets()]


def _read(data: bytes) -> None:
    sets = parse_property_sets(data)
    with_properties = {name: properties for name, properties in sets.items() if properties}
    assert parse_property_sets(format_property_sets(sets)) == with_properties
    read_sets(sets)


def _edit(data: bytes, random: Random) -> bytes:
    return format_property_sets(edited_sets(parse_property_sets(data), random))


READER = Reader(
    "property sets in text form, and all typed sets of images",
    _seeds,
    _read,
    _edit,
    count=CONTAINER_COUNT,
)
