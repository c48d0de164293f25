"""Parsing of function properties, which become facts like attributes."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, strategies as st

from dovetail.errors import CompileError
from dovetail.facts import Declaration, Facts, Place
from dovetail.facts_json import facts_text, parse_facts
from dovetail.kernel_properties import KernelProperties, read_kernel_properties

NAMES = ["sycl-device-has", "sycl-sub-group-size", "sycl-work-group-size"]


def test_each_property() -> None:
    assert read_kernel_properties({}) == KernelProperties(None, (), (), None)
    assert read_kernel_properties(
        {
            "sycl-device-has": "1,6",
            "sycl-work-group-size": "8,4,1",
            "sycl-work-group-size-hint": "2",
            "sycl-sub-group-size": "16",
            "another": "x",
        }
    ) == KernelProperties((1, 6), (8, 4, 1), (2,), 16)
    assert read_kernel_properties({"sycl-device-has": ""}).aspects == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in NAMES for value in ("x", ",", "1,", "-1", "1 ", str(2**64))),
        ("sycl-sub-group-size", str(2**32)),
        ("sycl-device-has", str(2**32)),
        ("sycl-sub-group-size", ""),
        ("sycl-sub-group-size", "0"),
        ("sycl-sub-group-size", "8,8"),
        ("sycl-work-group-size", "1,2,3,4"),
        ("sycl-work-group-size", "4,0"),
        ("sycl-work-group-size-hint", "1" * 5000),
        ("sycl-device-has", "٣"),
    ],
)
def test_invalid_values(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"property '{name}': expected"):
        read_kernel_properties({name: value})


@given(st.dictionaries(st.sampled_from(NAMES), st.text()))
def test_any_text_is_read_or_refused(attributes: dict[str, str]) -> None:
    try:
        found = read_kernel_properties(attributes)
    except ValueError:
        return
    assert found.sub_group_size != 0
    assert 0 not in found.work_group_size


def facts_of(*functions: Mapping[str, Any], object_function: int | None = None) -> Facts:
    rows = [
        {"symbol": f"f{n}", "name": f"f{n}", "place": [0, 10 * n, 1], "defined": True, **function}
        for n, function in enumerate(functions, 1)
    ]
    kernel: dict[str, Any] = {
        **dict.fromkeys(("symbol", "name", "signature", "file"), ""),
        **{"form": "entry", "line": 1, "attributes": {}, "parameters": [], "function": 0},
        "object_function": object_function,
    }
    document: dict[str, Any] = {"files": ["a.cpp"], "functions": rows, "kernels": [kernel]}
    return parse_facts(json.dumps(document).encode())


def test_a_property_counts_where_there_is_no_attribute() -> None:
    properties = {
        "sycl-device-has": "6",
        "sycl-sub-group-size": "16",
        "sycl-work-group-size": "4,2",
        "sycl-work-group-size-hint": "8",
    }
    (alone,) = facts_of({"attributes": properties}).functions
    assert alone.declared == Declaration("device_has", (6,), Place("a.cpp", 10, 1), True)
    assert (alone.reqd_sub_group_size, alone.reqd_work_group_size) == (16, (4, 2))
    assert alone.work_group_size_hint == (8,)
    attributes = {
        "declared": {"attribute": "requires", "aspects": [5], "place": [0, 9, 3]},
        "reqd_sub_group_size": 8,
        "reqd_work_group_size": [32],
        "work_group_size_hint": [64],
    }
    (both,) = facts_of({"attributes": properties, **attributes}).functions
    assert both.declared == Declaration("requires", (5,), Place("a.cpp", 9, 3))
    assert (both.reqd_sub_group_size, both.reqd_work_group_size) == (8, (32,))
    assert both.work_group_size_hint == (64,)


def test_properties_of_a_launch_have_the_place_of_the_users_code() -> None:
    entry, _ = facts_of({"attributes": {"sycl-device-has": "6"}}, {}, object_function=1).functions
    assert entry.declared
    assert entry.declared.place == Place("a.cpp", 20, 1)


def test_facts_in_a_module_keep_the_meaning_of_properties() -> None:
    facts = facts_of({"attributes": {"sycl-device-has": "", "sycl-sub-group-size": "8"}})
    travelled = parse_facts(facts_text(facts).encode())
    assert travelled.functions[0].attributes == {}
    assert travelled.functions[0].declared == facts.functions[0].declared
    assert travelled.functions[0].reqd_sub_group_size == 8


def test_an_invalid_value_has_a_place() -> None:
    with pytest.raises(
        CompileError, match=r"^a.cpp:10:1: error: function 'f1': property 'sycl-sub-group-size'"
    ):
        facts_of({"attributes": {"sycl-sub-group-size": "none"}})


def test_work_group_sizes_have_64_bits() -> None:
    largest = 2**64 - 1
    found = read_kernel_properties(
        {"sycl-work-group-size": f"1,{largest}", "sycl-work-group-size-hint": str(largest)}
    )
    assert found.work_group_size == (1, largest)
    assert found.work_group_size_hint == (largest,)
