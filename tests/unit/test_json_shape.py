"""JSON of a known shape."""

import re
from typing import Any

import pytest

from dovetail.errors import FormatError
from dovetail.json_shape import parse_json

HEX = re.compile("[0-9a-f]+")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("5", int),
        ("true", bool),
        ('"ab"', HEX),
        ("[]", [str]),
        ('["a", "b"]', [str]),
        ('["a", 5, [true]]', (str, int, [bool])),
        ('{"x": [1, 2], "y": [3, 4]}', {str: (int, int)}),
        ('{"a": 5, "b": {}}', {"a": int, "b": {str: int}}),
        ("[1, [2]]", list),
    ],
)
def test_what_fits_is_returned(text: str, shape: Any) -> None:
    assert parse_json(text.encode(), shape) is not None


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("true", int),
        ("5", bool),
        ("null", str),
        ('"abx"', HEX),
        ("5", HEX),
        ('"a"', [str]),
        ('["a", 5]', [str]),
        ('["a"]', (str, int)),
        ('["a", 5, 5]', (str, int)),
        ('{"x": 5}', {str: str}),
        ("[]", {str: str}),
        ('{"a": 5}', {"a": int, "b": int}),
        ('{"a": 5, "b": 5}', {"a": int}),
    ],
)
def test_what_does_not_fit_is_refused(text: str, shape: Any) -> None:
    with pytest.raises(FormatError, match="where something else belongs"):
        parse_json(text.encode(), shape)


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="no JSON"):
        parse_json(text.encode(), list)
