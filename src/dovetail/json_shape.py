"""JSON of a known shape: what we wrote ourselves and read again.

A shape is written as a value: a type stands for its values, an expression for texts that match it,
`[shape]` for a list, `(shape, shape)` for a list of exactly these, `{str: shape}` for any object
and `{"name": shape}` for an object with exactly these members.
"""

import json
import re
from typing import Any, cast

from dovetail.errors import FormatError


def parse_json(data: bytes, shape: object) -> Any:
    """Return the document in `data`; `FormatError` if it is no JSON or has another shape."""
    try:
        document: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"it is no JSON: {error}") from None
    check_shape(document, shape)
    return document


def check_shape(value: object, shape: object) -> None:
    """Raise `FormatError` if a JSON value has another shape."""
    if isinstance(shape, type):
        # A truth value is an integer to Python, and is none here.
        fits = type(value) is shape
    elif isinstance(shape, re.Pattern):
        fits = isinstance(value, str) and bool(cast("re.Pattern[str]", shape).fullmatch(value))
    elif isinstance(shape, dict):
        fits = isinstance(value, dict) and _object_fits(
            cast("dict[str, object]", value), cast("dict[Any, object]", shape)
        )
    else:
        fits = isinstance(value, list) and _list_fits(cast("list[object]", value), shape)
    if not fits:
        raise FormatError(f"it has {value!r:.60} where something else belongs")


def _object_fits(value: dict[str, object], shape: dict[Any, object]) -> bool:
    if str in shape:
        for member in value.values():
            check_shape(member, shape[str])
        return True
    for name, part in shape.items():
        check_shape(value.get(name), part)
    return len(value) == len(shape)


def _list_fits(value: list[object], shape: object) -> bool:
    if isinstance(shape, list):
        for item in value:
            check_shape(item, cast("list[object]", shape)[0])
        return True
    parts = cast("tuple[object, ...]", shape)
    for item, part in zip(value, parts, strict=False):
        check_shape(item, part)
    return len(value) == len(parts)
