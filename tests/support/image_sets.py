"""The property sets of individual fields of an image's description."""

from typing import Any

from dovetail.image import ImageInfo, PropertySets, encode_info

_ALWAYS_THERE = "SYCL/device requirements"


def sets_of(**fields: Any) -> PropertySets:
    """Return the sets of some fields of `ImageInfo`, without those that every image has."""
    sets = encode_info(ImageInfo(**fields))
    if not {"requirements", "conditional_aspects"} & fields.keys():
        del sets[_ALWAYS_THERE]
    return sets


def properties_of(**field: Any) -> dict[str, int | bytes]:
    """Return the properties of the only set of a field; none if the field is empty."""
    sets = sets_of(**field)
    assert len(sets) < 2
    return next(iter(sets.values()), dict[str, int | bytes]())
