"""Why an image requires its aspects: where each kernel uses them, and through which calls.

A property set of our own. Reading checks everything, since images can come from anywhere.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from dovetail.errors import FormatError
from dovetail.facts import Place
from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader

ASPECT_USES_SET = "Dovetail/aspect uses"
"""Ours: symbol of an entry point -> its uses as JSON."""

_UINT32_MAX = 0xFFFF_FFFF


@dataclass(frozen=True)
class CallOnTheWay:
    """A call that leads from a kernel to where an aspect is used."""

    caller: str
    callee: str
    """Both as a message spells them."""
    place: Place


@dataclass(frozen=True)
class AspectUse:
    """The first use of an aspect that a kernel comes to."""

    what: str
    """What uses it, in words: `type 'double'`."""
    place: Place
    calls: tuple[CallOnTheWay, ...] = ()
    """From the kernel to the function that has the use."""


def aspect_use_properties(uses: Mapping[str, Mapping[str, AspectUse]]) -> dict[str, bytes]:
    """What goes into "Dovetail/aspect uses".

    `uses` has the first use of each aspect by kernel, then by the aspect's name. A kernel that uses
    none leaves no trace.
    """
    return {kernel: _to_json(kernel, by_aspect) for kernel, by_aspect in uses.items() if by_aspect}


def aspect_uses_of(sets: PropertySets) -> dict[str, dict[str, AspectUse]]:
    """The first use of each aspect, by kernel, then by the aspect's name."""
    source = SetReader(ASPECT_USES_SET, sets)
    uses: dict[str, dict[str, AspectUse]] = {}
    for kernel in source:
        data = source.data(kernel)
        try:
            by_aspect = _object(json.loads(data.decode()))
            uses[kernel] = {aspect: _use(fields) for aspect, fields in by_aspect.items()}
            _check(uses[kernel])
        except (ValueError, RecursionError) as error:
            raise source.error(kernel, f"no uses of aspects: {error}") from None
    return uses


def _to_json(kernel: str, by_aspect: Mapping[str, AspectUse]) -> bytes:
    try:
        _check(by_aspect)
    except ValueError as error:
        problem = f"property '{kernel}' of set '{ASPECT_USES_SET}': {error}"
        raise FormatError(problem) from None
    fields = {aspect: _use_fields(use) for aspect, use in by_aspect.items()}
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()


def _use_fields(use: AspectUse) -> dict[str, Any]:
    return {
        "what": use.what,
        "place": _place_fields(use.place),
        "calls": [
            {"caller": call.caller, "callee": call.callee, "place": _place_fields(call.place)}
            for call in use.calls
        ],
    }


def _place_fields(place: Place) -> list[Any]:
    return [place.file, place.line, place.column]


# JSON gives any type anywhere: what is built here is only shaped right, `_check` does the rest.


def _use(fields: Any) -> AspectUse:
    what, place, calls = _members(fields, "what", "place", "calls")
    return AspectUse(what, _place(place), tuple(_call(call) for call in _list(calls)))


def _call(fields: Any) -> CallOnTheWay:
    caller, callee, place = _members(fields, "caller", "callee", "place")
    return CallOnTheWay(caller, callee, _place(place))


def _place(fields: Any) -> Place:
    file, line, column = _list(fields)
    return Place(file, line, column)


def _members(fields: Any, *names: str) -> Iterable[Any]:
    members = _object(fields)
    if members.keys() != set(names):
        raise ValueError(f"an object without exactly {', '.join(names)}")
    return (members[name] for name in names)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("something else where an object belongs")
    return cast(dict[str, Any], value)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("something else where a list belongs")
    return cast(list[Any], value)


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
        if type(number) is not int or not 0 <= number <= _UINT32_MAX:
            raise ValueError("a line or column that is no number of 32 bits")


def _check_texts(*texts: object) -> None:
    for text in texts:
        if not isinstance(text, str):
            raise ValueError("something else where a text belongs")
        text.encode()  # JSON can hold halves of characters
