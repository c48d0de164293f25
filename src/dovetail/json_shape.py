"""Validation of JSON documents that Dovetail wrote itself, such as entries of the cache.

A shape describes the expected value: a type for its values, a pattern for strings that match it,
`[shape]` for a list, `(shape, shape)` for a list with exactly these items, `{str: shape}` for an
object with any names, and `{"name": shape}` for an object with exactly these members.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from dovetail.errors import FormatError

Shape: TypeAlias = (
    type[object]
    | re.Pattern[str]
    | Sequence["Shape"]
    | Mapping[type[str], "Shape"]
    | Mapping[str, "Shape"]
)

_NAMES: dict[type[object], str] = {
    str: "a string",
    int: "an integer",
    bool: "true or false",
    list: "a list",
}


def parse_json(data: bytes, shape: Shape) -> Any:
    """Return the document in `data`; `FormatError` if it is invalid or has another shape."""
    try:
        document: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"invalid JSON: {error}") from None
    check_shape(document, shape)
    return document


def check_shape(value: object, shape: Shape) -> None:
    """Raise `FormatError` if a JSON value has another shape."""
    fits = False
    if isinstance(shape, type):
        # Not isinstance: in Python, a bool is an int.
        fits = type(value) is shape
    elif isinstance(shape, re.Pattern):
        fits = isinstance(value, str) and bool(shape.fullmatch(value))
    elif isinstance(shape, dict):
        fits = is_object(value) and _object_fits(value, shape)
    elif isinstance(shape, list | tuple):
        fits = is_list(value) and _list_fits(value, shape)
    if not fits:
        raise FormatError(f"expected {_described(shape)}, got {value!r:.60}")


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Whether a JSON value is a list."""
    return isinstance(value, list)


def _object_fits(
    value: dict[str, object], shape: Mapping[type[str], Shape] | Mapping[str, Shape]
) -> bool:
    """Return whether an object has the keys of its shape; raise an error for a wrong value."""
    for name, part in shape.items():
        if isinstance(name, type):
            for member in value.values():
                check_shape(member, part)
            return True
        check_shape(value.get(name), part)
    return len(value) == len(shape)


def _list_fits(value: list[object], shape: Sequence[Shape]) -> bool:
    """Return whether a list has the length of its shape; raise an error for a wrong item."""
    if isinstance(shape, list):
        for item in value:
            check_shape(item, shape[0])
        return True
    for item, part in zip(value, shape, strict=False):
        check_shape(item, part)
    return len(value) == len(shape)


def _described(shape: Shape) -> str:
    if isinstance(shape, type):
        return _NAMES.get(shape, shape.__name__)
    if isinstance(shape, re.Pattern):
        return f"a string that matches '{shape.pattern}'"
    if isinstance(shape, dict):
        names = [name for name in shape if isinstance(name, str)]
        return f"an object with {', '.join(names)}" if names else "an object"
    return "a list" if isinstance(shape, list) else f"a list of {len(shape)} items"
