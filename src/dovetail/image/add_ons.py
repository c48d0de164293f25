"""Add-on images: code that is linked to another image, its main image, on some devices only.

They come in pairs: a real one with functions, and a stub with the same functions and empty bodies.
A main image lists its pairs, each with the condition for linking the real one; an add-on names its
pair. A real add-on can be the main image of other add-ons.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from dovetail import conditions
from dovetail.errors import FormatError
from dovetail.image.typed_set import Codec, SetReader, SetWriter

if TYPE_CHECKING:
    # Most programs have no conditions and need not load this package.
    from dovetail.conditions import Condition

_STUB, _REAL = range(2)


class AddOn(NamedTuple):
    """The pair that an add-on image belongs to, and which of the two images it is.

    The fields are JSON keys of `dovetail inspect --json` (docs/formats.md).
    """

    identifier: str
    """The pair's identifier, which main images of the same program refer to."""
    is_real: bool
    """Whether its functions have bodies; they are empty in a stub."""

    @property
    def kind(self) -> str:
        """`real` or `stub`."""
        return "real" if self.is_real else "stub"


def _encode_conditions(into: SetWriter, pairs: "Mapping[str, Condition]") -> None:
    """Write the set of a main image, which maps the identifiers of pairs to their conditions."""
    for identifier, condition in pairs.items():
        into.add_data(identifier, conditions.condition_to_bytes(condition))


def _decode_conditions(source: SetReader) -> "Mapping[str, Condition]":
    return {identifier: _condition(source, identifier) for identifier in source}


def _condition(source: SetReader, identifier: str) -> "Condition":
    try:
        return conditions.condition_from_bytes(source.data(identifier))
    except FormatError as error:
        raise source.error(identifier, error.message) from None


def _encode_add_on(into: SetWriter, add_on: AddOn | None) -> None:
    """Write the set of an add-on: the identifier of its pair, and whether it is real or a stub."""
    if add_on is not None:
        into.add_number(add_on.identifier, _REAL if add_on.is_real else _STUB)


def _decode_add_on(source: SetReader) -> AddOn | None:
    identifiers = tuple(source)
    if len(identifiers) != 1:
        raise source.set_error(f"expected one identifier, got {len(identifiers)}")
    kind = source.number(identifiers[0])
    if kind not in (_STUB, _REAL):
        raise source.error(identifiers[0], f"expected 0 (stub) or 1 (real), got {kind}")
    return AddOn(identifiers[0], kind == _REAL)


ADD_ONS = Codec(_encode_conditions, _decode_conditions)
ADD_ON = Codec(_encode_add_on, _decode_add_on)
