"""Why an image requires its aspects: where each kernel uses them, and through which calls.

A property set of this project maps the symbols of entry points to their uses, as JSON. Reading
validates everything, since images can come from any source.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from dovetail.errors import FormatError
from dovetail.facts import Place
from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.json_shape import check_shape

_UINT32_MAX = 0xFFFF_FFFF


@dataclass(frozen=True)
class CallOnPath:
    """A call on the path from a kernel to the use of an aspect.

    The fields are JSON keys of `dovetail inspect --json` (docs/formats.md).
    """

    caller: str
    callee: str
    """Both as messages print them."""
    place: Place


@dataclass(frozen=True)
class AspectUse:
    """The first use of an aspect that is reachable from a kernel.

    The fields are JSON keys of `dovetail inspect --json` (docs/formats.md).
    """

    what: str
    """What uses it, as messages print it: `type 'double'`."""
    place: Place
    calls: tuple[CallOnPath, ...] = ()
    """From the kernel to the function that contains the use."""


AspectUses = Mapping[str, Mapping[str, AspectUse]]
"""The first use of each aspect, by kernel, then by aspect name."""


def _encode(into: SetWriter, uses: AspectUses) -> None:
    """Write the uses of each kernel that has some."""
    for kernel, by_aspect in uses.items():
        if by_aspect:
            try:
                into.add_data(kernel, _to_json(by_aspect))
            except ValueError as error:
                raise into.error(kernel, str(error)) from None


def _decode(source: SetReader) -> AspectUses:
    uses: dict[str, dict[str, AspectUse]] = {}
    for kernel in source:
        data = source.data(kernel)
        try:
            uses[kernel] = _from_json(data)
            _check(uses[kernel])
        except (FormatError, ValueError, RecursionError) as error:
            raise source.error(kernel, f"expected uses of aspects: {error}") from None
    return uses


ASPECT_USES = Codec(_encode, _decode)


def _to_json(by_aspect: Mapping[str, AspectUse]) -> bytes:
    _check(by_aspect)
    fields = {aspect: _use_fields(use) for aspect, use in by_aspect.items()}
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


_PLACE_SHAPE = (str, int, int)
_CALL_SHAPE = {"caller": str, "callee": str, "place": _PLACE_SHAPE}
_SHAPE = {str: {"what": str, "place": _PLACE_SHAPE, "calls": [_CALL_SHAPE]}}

_PlaceFields = tuple[str, int, int]


class _CallFields(TypedDict):
    caller: str
    callee: str
    place: _PlaceFields


class _UseFields(TypedDict):
    what: str
    place: _PlaceFields
    calls: list[_CallFields]


def _use_fields(use: AspectUse) -> _UseFields:
    calls: list[_CallFields] = [
        {"caller": call.caller, "callee": call.callee, "place": _place_fields(call.place)}
        for call in use.calls
    ]
    return {"what": use.what, "place": _place_fields(use.place), "calls": calls}


def _place_fields(place: Place) -> _PlaceFields:
    return place.file, place.line, place.column


def _from_json(data: bytes) -> dict[str, AspectUse]:
    document: dict[str, _UseFields] = json.loads(data.decode())
    check_shape(document, _SHAPE)
    return {aspect: _use(fields) for aspect, fields in document.items()}


def _use(fields: _UseFields) -> AspectUse:
    calls = (CallOnPath(c["caller"], c["callee"], Place(*c["place"])) for c in fields["calls"])
    return AspectUse(fields["what"], Place(*fields["place"]), tuple(calls))


def _check(by_aspect: Mapping[str, AspectUse]) -> None:
    for aspect, use in by_aspect.items():
        _check_texts(aspect, use.what)
        _check_place(use.place)
        for call in use.calls:
            _check_texts(call.caller, call.callee)
            _check_place(call.place)


def _check_place(place: Place) -> None:
    _check_texts(place.file)
    for number in (place.line, place.column):
        if not 0 <= number <= _UINT32_MAX:
            raise ValueError(f"expected a 32-bit line or column, got {number}")


def _check_texts(*texts: str) -> None:
    for text in texts:
        text.encode()  # JSON can hold unpaired surrogates, which UTF-8 cannot.
