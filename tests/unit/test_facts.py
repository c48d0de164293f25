"""Facts files are validated when they are read."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from dovetail.errors import FormatError
from dovetail.facts import Facts, Place, VariableFact, join_facts
from dovetail.facts_json import facts_text, parse_facts

OBJECT: dict[str, Any] = {
    "name": "object",
    "type": "Object",
    "kind": "object",
    "size": 32,
    "align": 8,
    "encoding": "",
    "writable": True,
    "fields": [],
    "members": [
        {"kind": "buffer", "offset": 0, "size": 8, "type": "accessor"},
        {
            "kind": "global_pointer",
            "offset": 0,
            "size": 8,
            "type": "accessor",
            "attributes": {"a": "1"},
        },
        {"kind": "pointer", "offset": 24, "size": 8, "type": "ptr", "attributes": {"b": ""}},
    ],
    "attributes": {"c": "ü"},
}
KERNEL: dict[str, Any] = {
    "form": "entry",
    "symbol": "_ZTS4Name",
    "name": "Name",
    "signature": "start<Name>(Object)",
    "file": "k.cpp",
    "line": 1,
    "attributes": {},
    "parameters": [OBJECT],
}
VARIABLE: dict[str, Any] = {
    "symbol": "v",
    "name": "n::v",
    "place": [0, 2, 3],
    "attributes": {"a": "1"},
}


def text_of(**changes: Any) -> bytes:
    document = {
        "version": 4,
        "files": ["k.cpp"],
        "kernels": [KERNEL],
        "functions": [],
        "variables": [VARIABLE],
        **changes,
    }
    return json.dumps(document).encode()


def with_object(**changes: Any) -> bytes:
    return text_of(kernels=[{**KERNEL, "parameters": [{**OBJECT, **changes}]}])


def test_properties() -> None:
    facts = parse_facts(text_of())
    assert facts.variables == (VariableFact("v", "n::v", Place("k.cpp", 2, 3), {"a": "1"}),)
    assert facts.kernels[0].argument_attributes == (
        (0, None, {"c": "ü"}),
        (0, 1, {"a": "1"}),
        (0, 2, {"b": ""}),
    )


def test_facts_in_a_module_have_no_properties() -> None:
    facts = parse_facts(facts_text(parse_facts(text_of())).encode())
    assert facts.variables == ()
    assert facts.kernels[0].argument_attributes == ()
    assert len(facts.kernels[0].parameters[0].members) == 3


def test_joined() -> None:
    one = parse_facts(text_of())
    assert join_facts([one, Facts(), one]).variables == one.variables * 2


MEMBERS = OBJECT["members"]
POINTER = MEMBERS[2]


@pytest.mark.parametrize(
    "data",
    [
        text_of(variables=[{}]),
        text_of(variables=[{**VARIABLE, "symbol": 1}]),
        text_of(variables=[{**VARIABLE, "place": [1, 1, 1]}]),
        text_of(variables=[{**VARIABLE, "place": [-1, 1, 1]}]),
        text_of(variables=[{**VARIABLE, "attributes": {"a": 1}}]),
        text_of(variables=[{**VARIABLE, "attributes": ["a"]}]),
        text_of(variables=[{**VARIABLE, "attributes": {"a": "\ud800"}}]),
        text_of(variables=1),
        with_object(attributes={"a": None}),
        with_object(attributes=[]),
        with_object(members=[{**MEMBERS[0], "attributes": {"a": "1"}}]),
        with_object(members=[{**POINTER, "attributes": {"a": 1}}]),
        with_object(members=[{**POINTER, "offset": 25}]),
        with_object(members=[{**POINTER, "offset": -8}]),
        with_object(members=[1]),
    ],
)
def test_malformed(data: bytes) -> None:
    with pytest.raises(FormatError, match="invalid facts file"):
        parse_facts(data)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.sampled_from(["symbol", "name", "place", "attributes"]), ANYTHING)
def test_any_variable_is_read_or_refused(key: str, value: object) -> None:
    check(text_of(variables=[{**VARIABLE, key: value}]))


@given(st.sampled_from(["members", "attributes", "size"]), ANYTHING)
def test_any_parameter_is_read_or_refused(key: str, value: object) -> None:
    check(with_object(**{key: value}))


@given(st.sampled_from(["kind", "offset", "size", "type", "attributes", "more"]), ANYTHING)
def test_any_member_is_read_or_refused(key: str, value: object) -> None:
    check(with_object(members=[{**POINTER, key: value}]))


def check(data: bytes) -> None:
    try:
        facts = parse_facts(data)
    except FormatError:
        return
    assert (
        parse_facts(facts_text(facts).encode()).kernels[0].parameters == facts.kernels[0].parameters
    )
