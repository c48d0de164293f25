"""The property sets of images whose kernels are for different devices."""

import struct
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from image_sets import properties_of

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, Condition
from dovetail.errors import FormatError
from dovetail.image import (
    ActionCall,
    Constants,
    PropertySets,
    Requirements,
    combined_requirements,
    constants_of,
    numbered_reqs,
    read_info,
    single_requirements,
)

FP16, FP64 = Requirements((5,)), Requirements((6,))
GROUP, SUB_GROUP = Requirements(work_group_size=(8, 4)), Requirements(sub_group_size=16)
CONSTANTS = {100: FP16, 101: FP64, 102: GROUP, 103: SUB_GROUP}
SPEC_IDS = {single: spec_id for spec_id, single in CONSTANTS.items()}
ALL = Requirements((5, 6), 16, (8, 4))
HAS_FP64 = Condition((ASPECT, 6))
IS_PVC = Condition((ARCHITECTURE, 20))


def _words(data: int | bytes) -> list[int]:
    assert isinstance(data, bytes)
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def test_kernel_reqs_are_laid_out_as_specified() -> None:
    made = properties_of(kernel_reqs=numbered_reqs({"k": ALL, "plain": Requirements()}, CONSTANTS))
    aspects = [0, 5, 100, 0, 6, 101]
    assert _words(made["k"]) == [4, *aspects, 1, 2, 8, 4, 102, 2, 16, 103]
    assert _words(made["plain"]) == [0]


def test_kernel_reqs_round_trip() -> None:
    sets = {"SYCL/kernel reqs": properties_of(kernel_reqs=numbered_reqs({"k": ALL}, CONSTANTS))}
    assert read_info(sets).kernel_reqs == {"k": SPEC_IDS}
    assert combined_requirements(read_info(sets).kernel_reqs["k"]) == ALL
    assert list(single_requirements(ALL)) == [FP16, FP64, GROUP, SUB_GROUP]
    assert read_info({}).kernel_reqs == {}


def test_sizes_of_more_than_32_bits() -> None:
    large = Requirements(work_group_size=(2, 2**32, 2**64 - 1))
    properties = properties_of(kernel_reqs=numbered_reqs({"k": large}, {7: large}))
    high = 2**32 - 1
    assert properties["k"] == struct.pack("<10I", 1, 3, 3, 2, 0, 0, 1, high, high, 7)
    assert read_info({"SYCL/kernel reqs": properties}).kernel_reqs == {"k": {large: 7}}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([1, 0, 6], "ends within an entry"),
        ([2, 0, 6, 1], "ends within an entry"),
        ([1, 1, 4, 1, 1, 1, 1, 9], "got 4"),
        ([1, 1, 2, 8, 0, 9], "a size is 0"),
        ([1, 2, 0, 9], "a size is 0"),
        ([1, 3, 1, 9], "ends within an entry"),
        ([1, 3, 4, *range(1, 9), 9], "got 4"),
        ([1, 3, 1, 0, 0, 9], "a size is 0"),
        ([1, 4, 1, 9], "unknown kind of requirement 4"),
        ([0, 7], "has data after its 0 entries"),
    ],
)
def test_bad_kernel_reqs(words: list[int], problem: str) -> None:
    data = b"".join(word.to_bytes(4, "little") for word in words)
    with pytest.raises(FormatError, match=f"'k' of set 'SYCL/kernel reqs'.*{problem}"):
        _ = read_info({"SYCL/kernel reqs": {"k": data}}).kernel_reqs


def test_constants_test_requirements_and_conditions() -> None:
    constants = Constants({101: FP64, 100: FP16}, {7: HAS_FP64, 8: IS_PVC})
    sets = {
        "SYCL/kernel reqs": properties_of(kernel_reqs=numbered_reqs({"k": FP64}, CONSTANTS)),
        "Dovetail/function reqs": properties_of(kernel_reqs=numbered_reqs({"f": FP16}, CONSTANTS)),
        "SYCL/special specialization constants": properties_of(asked=constants.asked),
    }
    assert _words(sets["SYCL/special specialization constants"]["aspects"]) == [7, 6]
    assert _words(sets["SYCL/special specialization constants"]["architectures"]) == [8, 20]
    assert constants_of(read_info(sets)) == constants
    assert read_info(sets).function_reqs == {"f": {FP16: 100}}
    values = constants.values(lambda single: single == FP64, lambda leaf: leaf == IS_PVC)
    assert values == {101: True, 100: False, 7: False, 8: True}


def test_several_constants_may_have_the_same_meaning() -> None:
    """Other toolchains need not share them."""
    kernels = {
        "k": properties_of(kernel_reqs=numbered_reqs({"k": FP64}, {7: FP64}))["k"],
        "l": properties_of(kernel_reqs=numbered_reqs({"l": FP64}, {8: FP64}))["l"],
    }
    asked = b"".join(word.to_bytes(4, "little") for word in (100, 6, 101, 6))
    sets: PropertySets = {
        "SYCL/kernel reqs": kernels,
        "SYCL/special specialization constants": {"aspects": asked},
    }
    values = constants_of(read_info(sets)).values(lambda _: True, lambda _: False)
    assert values == {7: True, 8: True, 100: False, 101: False}


@pytest.mark.parametrize("words", [[1], [1, 0xFFFF_FFFF]])
def test_bad_constants(words: list[int]) -> None:
    data = b"".join(word.to_bytes(4, "little") for word in words)
    with pytest.raises(FormatError, match="'aspects' of set 'SYCL/special specialization"):
        constants_of(read_info({"SYCL/special specialization constants": {"aspects": data}}))


def test_conditional_calls_round_trip() -> None:
    calls = {"k": (ActionCall(HAS_FP64, "a"), ActionCall(IS_PVC, "böse")), "a": ()}
    properties = properties_of(conditional_calls=calls)
    assert read_info({"Dovetail/conditional calls": properties}).conditional_calls == {
        "k": calls["k"]
    }


@given(st.binary(max_size=40))
def test_any_bytes_are_calls_or_an_error(data: bytes) -> None:
    # Any other exception is a failure.
    with suppress(FormatError):
        calls = read_info({"Dovetail/conditional calls": {"k": data}}).conditional_calls
        assert properties_of(conditional_calls=calls) == ({"k": data} if data else {})


def test_conditional_aspects_come_in_pairs() -> None:
    both = Condition((AND, ASPECT, 6, NOT, ARCHITECTURE, 20))
    properties = properties_of(conditional_aspects={HAS_FP64: (6,), both: (5, 6)})
    assert list(properties) == [
        "aspects",
        "condition-0",
        "conditional-aspects-0",
        "condition-1",
        "conditional-aspects-1",
    ]
    sets = {"SYCL/device requirements": properties}
    assert read_info(sets).conditional_aspects == {HAS_FP64: (6,), both: (5, 6)}
    del properties["conditional-aspects-1"]
    with pytest.raises(FormatError, match="there is no 'conditional-aspects-1'"):
        _ = read_info(sets).conditional_aspects


def test_filtered_kernels_round_trip() -> None:
    lacking = {"intel_gpu_dg1": {"k": ("aspect 'fp64'", "sub-groups of 64"), "m": ("x",)}}
    properties = properties_of(filtered_kernels={**lacking, "intel_gpu_pvc": {}})
    assert read_info({"Dovetail/filtered kernels": properties}).filtered_kernels == lacking


def test_imports_of_actions_round_trip() -> None:
    made = properties_of(conditional_imports={"a": ["f", "g"], "b": [], "c": ["f"]})
    assert made == {"a": b"f\ng", "c": b"f"}
    assert read_info({"Dovetail/conditional imports": made}).conditional_imports == {
        "a": ("f", "g"),
        "c": ("f",),
    }


def test_which_images_have_conditions() -> None:
    assert not read_info(
        {"SYCL/device requirements": {"aspects": b""}, "SYCL/kernels": {"k": 1}}
    ).has_conditions
    assert read_info({"SYCL/kernel reqs": {"k": b""}}).has_conditions
    assert not read_info({"Dovetail/conditional calls": {"k": b""}}).has_conditions, (
        "it may call add-ons"
    )
    pairs = properties_of(conditional_aspects={HAS_FP64: (5,)})
    assert read_info({"SYCL/device requirements": pairs}).has_conditions


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ({"expressions": struct.pack("<1I", 0)}, "expression 0 is not an operation"),
        (
            {"expressions": struct.pack("<2I", 9, 1)},
            "expression 0 is not an operation",
        ),
        (
            {"expressions": struct.pack("<2I", 168, 0)},
            "expression 0 has an operand that does not precede it",
        ),
        (
            {"expressions": struct.pack("<5I", 0, 100, 167, 0, 1)},
            "expression 1 has an operand that does not precede it",
        ),
        ({"expressions": struct.pack("<2I", 0, 100), "function:f": 1}, "there is no expression 1"),
        ({"expressions": b"", "call:a": 0}, "there is no expression 0"),
        ({"expressions": b"", "function:f": b"x"}, "expected a number, got a byte array"),
        ({"expressions": b"abc"}, "expected 32-bit numbers, got 3 bytes"),
    ],
)
def test_damaged_expressions(properties: dict[str, int | bytes], message: str) -> None:
    info = read_info({"Dovetail/conditional code": properties})
    with pytest.raises(FormatError, match=message) as caught:
        _ = info.conditional_functions
    assert "Dovetail/conditional code" in caught.value.message
