"""Validation of JSON documents."""

import re

import pytest

from dovetail.errors import FormatError
from dovetail.json_shape import Shape, parse_json

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
def test_documents_of_the_shape_are_returned(text: str, shape: Shape) -> None:
    assert parse_json(text.encode(), shape) is not None


@pytest.mark.parametrize(
    ("text", "shape", "message"),
    [
        ("true", int, "expected an integer, got True"),
        ("5", bool, "expected true or false, got 5"),
        ("null", str, "expected a string, got None"),
        ('"abx"', HEX, "expected a string that matches '[0-9a-f]+', got 'abx'"),
        ("5", HEX, "expected a string that matches '[0-9a-f]+', got 5"),
        ('"a"', [str], "expected a list, got 'a'"),
        ('["a", 5]', [str], "expected a string, got 5"),
        ('["a"]', (str, int), "expected a list of 2 items, got ['a']"),
        ('["a", 5, 5]', (str, int), "expected a list of 2 items, got ['a', 5, 5]"),
        ('{"x": 5}', {str: str}, "expected a string, got 5"),
        ("[]", {str: str}, "expected an object, got []"),
        ('{"a": 5}', {"a": int, "b": int}, "expected an integer, got None"),
        ('{"a": 5, "b": 5}', {"a": int}, "expected an object with a, got {'a': 5, 'b': 5}"),
    ],
)
def test_documents_of_another_shape_are_rejected(text: str, shape: Shape, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_json(text.encode(), shape)
    assert caught.value.message == message


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0"])
def test_invalid_json_is_rejected(text: str) -> None:
    with pytest.raises(FormatError, match="invalid JSON"):
        parse_json(text.encode(), list)
