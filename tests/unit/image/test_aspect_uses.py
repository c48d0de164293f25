"""The uses of aspects in an image."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.errors import FormatError
from dovetail.facts import Place
from dovetail.image import (
    AspectUse,
    CallOnPath,
    PropertySets,
    format_property_sets,
    parse_property_sets,
    read_info,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
NUMBER = st.integers(0, 2**32 - 1)
PLACE = st.builds(Place, TEXT, NUMBER, NUMBER)
CALL = st.builds(CallOnPath, TEXT, TEXT, PLACE)
USE = st.builds(AspectUse, TEXT, PLACE, st.lists(CALL, max_size=3).map(tuple))
USES = st.dictionaries(
    st.text("k_1", min_size=1), st.dictionaries(TEXT, USE, min_size=1, max_size=2), max_size=3
)

GOOD = AspectUse(
    "type 'double'", Place("ä.cpp", 3, 7), (CallOnPath("k", "f", Place("ä.cpp", 9, 3)),)
)
GOOD_JSON = (
    '{"fp64":{"what":"type \'double\'","place":["ä.cpp",3,7],'
    '"calls":[{"caller":"k","callee":"f","place":["ä.cpp",9,3]}]}}'
)


def read(value: int | bytes) -> Mapping[str, AspectUse]:
    return read_info({"Dovetail/aspect uses": {"k": value}}).aspect_uses["k"]


def test_golden() -> None:
    assert properties_of(aspect_uses={"k": {"fp64": GOOD}}) == {"k": GOOD_JSON.encode()}
    assert read(GOOD_JSON.encode()) == {"fp64": GOOD}
    short = AspectUse("x", Place("a", 1, 2))
    text = format_property_sets(
        {"Dovetail/aspect uses": {**properties_of(aspect_uses={"k": {"5": short}})}}
    )
    # {"5":{"what":"x","place":["a",1,2],"calls":[]}}
    assert text == (
        b"[Dovetail/aspect uses]\n"
        b"k=2|4FAAAAAAAAweiUjI6snI3hWY0JiOignIsICcsF2YlJiObJSYiwSMsITXsIyYhxGbzJiOb1Vf9B\n"
    )
    assert read_info(parse_property_sets(text)).aspect_uses == {"k": {"5": short}}
    assert str(GOOD.place) == "ä.cpp:3:7"


def test_kernels_without_uses_are_not_written() -> None:
    assert properties_of(aspect_uses={}) == properties_of(aspect_uses={"k": {}}) == {}
    assert read_info({}).aspect_uses == {}
    assert read(b"{}") == {}


def changed(**members: Any) -> bytes:
    return json.dumps(
        {"fp64": {"what": "w", "place": ["a", 1, 1], "calls": [], **members}}
    ).encode()


def with_call(**members: Any) -> bytes:
    return changed(calls=[{"caller": "k", "callee": "f", "place": ["a", 1, 1], **members}])


BAD_PLACES: list[Any] = [
    None,
    "abc",
    [],
    ["a", 1],
    ["a", 1, 1, 1],
    [1, 1, 1],
    ["a", "1", 1],
    ["a", 1, True],
    ["a", 1.0, 1],
    ["a", -1, 1],
    ["a", 1, 2**32],
    ["a", None, 1],
    ["\ud800", 1, 1],
    {"a": 1, "b": 1, "c": 1},
]


@pytest.mark.parametrize(
    "value",
    [
        1,
        b"",
        b"\xff",
        GOOD_JSON.encode("utf-16"),
        b"[]",
        b"null",
        b'"text"',
        b'{"fp64":null}',
        b'{"fp64":[]}',
        b'{"fp64":{}}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 10_000,
        json.dumps({"\ud800": {"what": "w", "place": ["a", 1, 1], "calls": []}}).encode(),
        changed(what=1),
        changed(what="\udfff"),
        changed(more=1),
        changed(calls={}),
        changed(calls="ab"),
        changed(calls=[1]),
        changed(calls=[{}]),
        with_call(caller=None),
        with_call(callee=["f"]),
        with_call(callee="\ud83d"),
        with_call(more=1),
        *(changed(place=place) for place in BAD_PLACES),
        *(with_call(place=place) for place in BAD_PLACES),
    ],
    ids=lambda value: str(value)[:40],
)
def test_malformed_values_are_named(value: int | bytes) -> None:
    with pytest.raises(FormatError, match="property 'k' of set 'Dovetail/aspect uses': "):
        read(value)


def test_the_unchanged_value_is_valid() -> None:
    assert list(read(changed())) == list(read(with_call())) == ["fp64"]


@pytest.mark.parametrize(
    ("aspect", "use"),
    [
        ("\ud800", GOOD),
        ("fp64", AspectUse("\ud800", GOOD.place)),
        ("fp64", AspectUse("w", Place("\ud800", 1, 1))),
        ("fp64", AspectUse("w", Place("a", -1, 1))),
        ("fp64", AspectUse("w", GOOD.place, (CallOnPath("k", "f", Place("a", 1, 2**32)),))),
    ],
)
def test_invalid_values_are_not_written(aspect: str, use: AspectUse) -> None:
    with pytest.raises(FormatError, match="property 'k' of set 'Dovetail/aspect uses'"):
        properties_of(aspect_uses={"k": {aspect: use}})


@given(USES)
def test_what_is_written_can_be_read(uses: dict[str, dict[str, AspectUse]]) -> None:
    sets: PropertySets = {"Dovetail/aspect uses": {**properties_of(aspect_uses=uses)}}
    assert read_info(parse_property_sets(format_property_sets(sets))).aspect_uses == uses


MEMBERS = st.sampled_from(["what", "place", "calls", "caller", "callee"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(MEMBERS | st.text(), inner),
    max_leaves=12,
)


@given(st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_value_is_read_or_refused(value: bytes) -> None:
    try:
        uses = read(value)
    except FormatError:
        return
    assert read_info(
        {"Dovetail/aspect uses": {**properties_of(aspect_uses={"k": uses})}}
    ).aspect_uses == ({"k": uses} if uses else {})
