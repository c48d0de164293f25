"""Add-on images: code that belongs to another image, its main image, on some devices only.

They come in pairs, a real one with functions and a stub that has them with empty bodies. A main
image names its pairs, each with the condition under which the real one is taken; an add-on says
which pair it is of. A real add-on can be the main image of others.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader, SetWriter

if TYPE_CHECKING:
    # Most programs have no conditions, and need not load what reads them.
    from dovetail.conditions import Condition

ADD_ON_IMAGES_SET = "SYCL/add on images"
"""Of a main image: identifier of a pair -> its condition."""
ADD_ON_IMAGE_SET = "SYCL/add on image"
"""Of an add-on: the identifier of its pair -> which of the two it is."""

_STUB, _REAL = range(2)


@dataclass(frozen=True)
class AddOn:
    """What an add-on image is."""

    identifier: str
    """Of its pair, by which main images of the same program name it."""
    is_real: bool
    """Whether it has the functions themselves, rather than empty ones."""

    @property
    def kind(self) -> str:
        """In a word."""
        return "real" if self.is_real else "stub"


def add_on_images_properties(pairs: "Mapping[str, Condition]") -> dict[str, int | bytes]:
    """What goes into the set of a main image; `pairs` has conditions by identifier."""
    return {
        identifier: conditions.condition_to_bytes(condition)
        for identifier, condition in pairs.items()
    }


def add_ons_of(sets: PropertySets) -> "dict[str, Condition]":
    """The pairs that a main image names, with their conditions; none for most images."""
    source = SetReader(ADD_ON_IMAGES_SET, sets)
    return {identifier: _condition(source, identifier) for identifier in source}


def _condition(source: SetReader, identifier: str) -> "Condition":
    try:
        return conditions.condition_from_bytes(source.data(identifier))
    except FormatError as error:
        raise source.error(identifier, error.message) from None


def renumbered_add_ons(sets: PropertySets, by: int) -> PropertySets:
    """The same sets with higher identifiers, which have to be the numbers that post-link gives."""
    changed = {
        name: {str(int(identifier) + by): value for identifier, value in sets[name].items()}
        for name in (ADD_ON_IMAGES_SET, ADD_ON_IMAGE_SET)
        if name in sets
    }
    return {**sets, **changed}


def add_on_image_properties(add_on: AddOn) -> dict[str, int | bytes]:
    """What goes into the set of an add-on image."""
    into = SetWriter(ADD_ON_IMAGE_SET)
    into.add_number(add_on.identifier, _REAL if add_on.is_real else _STUB)
    return into.properties


def add_on_of(sets: PropertySets) -> AddOn | None:
    """What an add-on image says of itself; None for images that are none."""
    if ADD_ON_IMAGE_SET not in sets:
        return None
    source = SetReader(ADD_ON_IMAGE_SET, sets)
    identifiers = tuple(source)
    if len(identifiers) != 1:
        raise FormatError(
            f"set '{ADD_ON_IMAGE_SET}' has {len(identifiers)} identifiers instead of one"
        )
    kind = source.number(identifiers[0])
    if kind not in (_STUB, _REAL):
        raise source.error(identifiers[0], f"{kind} is neither 1, real, nor 0, a stub")
    return AddOn(identifiers[0], kind == _REAL)
