"""The property sets of images whose kernels are for different devices."""

import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, Condition
from dovetail.errors import FormatError
from dovetail.image import (
    CONDITIONAL_CALLS_SET,
    CONDITIONAL_IMPORTS_SET,
    DEVICE_REQUIREMENTS_SET,
    FILTERED_KERNELS_SET,
    FUNCTION_REQS_SET,
    KERNEL_REQS_SET,
    SPECIAL_CONSTANTS_SET,
    ConditionalCall,
    Constants,
    PropertySets,
    Requirements,
    conditional_aspect_properties,
    conditional_aspects_of,
    conditional_call_properties,
    conditional_calls_of,
    conditional_import_properties,
    conditional_imports_of,
    constants_of,
    filtered_kernel_properties,
    filtered_kernels_of,
    function_reqs_of,
    has_conditions,
    joined,
    kernel_reqs_of,
    reqs_properties,
    single_requirements,
    special_constant_properties,
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
    made = reqs_properties(KERNEL_REQS_SET, {"k": ALL, "plain": Requirements()}, CONSTANTS)
    aspects = [0, 5, 100, 0, 6, 101]
    assert _words(made["k"]) == [4, *aspects, 1, 2, 8, 4, 102, 2, 16, 103]
    assert _words(made["plain"]) == [0]


def test_kernel_reqs_come_back() -> None:
    sets = {KERNEL_REQS_SET: reqs_properties(KERNEL_REQS_SET, {"k": ALL}, CONSTANTS)}
    assert kernel_reqs_of(sets) == {"k": SPEC_IDS}
    assert joined(kernel_reqs_of(sets)["k"]) == ALL
    assert list(single_requirements(ALL)) == [FP16, FP64, GROUP, SUB_GROUP]
    assert kernel_reqs_of({}) == {}


def test_sizes_of_more_than_32_bits() -> None:
    large = Requirements(work_group_size=(2, 2**32, 2**64 - 1))
    properties = reqs_properties(KERNEL_REQS_SET, {"k": large}, {7: large})
    high = 2**32 - 1
    assert properties["k"] == struct.pack("<10I", 1, 3, 3, 2, 0, 0, 1, high, high, 7)
    assert kernel_reqs_of({KERNEL_REQS_SET: properties}) == {"k": {large: 7}}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([1, 0, 6], "ends within an entry"),
        ([2, 0, 6, 1], "ends within an entry"),
        ([1, 1, 4, 1, 1, 1, 1, 9], "4 dimensions"),
        ([1, 1, 2, 8, 0, 9], "a size of 0"),
        ([1, 2, 0, 9], "a size of 0"),
        ([1, 3, 1, 9], "ends within an entry"),
        ([1, 3, 4, *range(1, 9), 9], "4 dimensions"),
        ([1, 3, 1, 0, 0, 9], "a size of 0"),
        ([1, 4, 1, 9], "4 is no kind of requirement"),
        ([0, 7], "goes on behind its 0 entries"),
    ],
)
def test_bad_kernel_reqs(words: list[int], problem: str) -> None:
    data = b"".join(word.to_bytes(4, "little") for word in words)
    with pytest.raises(FormatError, match=f"'k' of set 'SYCL/kernel reqs'.*{problem}"):
        kernel_reqs_of({KERNEL_REQS_SET: {"k": data}})


def test_constants_stand_for_requirements_and_conditions() -> None:
    constants = Constants({101: FP64, 100: FP16}, {7: HAS_FP64, 8: IS_PVC})
    sets = {
        KERNEL_REQS_SET: reqs_properties(KERNEL_REQS_SET, {"k": FP64}, CONSTANTS),
        FUNCTION_REQS_SET: reqs_properties(FUNCTION_REQS_SET, {"f": FP16}, CONSTANTS),
        SPECIAL_CONSTANTS_SET: special_constant_properties(constants),
    }
    assert _words(sets[SPECIAL_CONSTANTS_SET]["aspects"]) == [7, 6]
    assert _words(sets[SPECIAL_CONSTANTS_SET]["architectures"]) == [8, 20]
    assert constants_of(sets) == constants
    assert function_reqs_of(sets) == {"f": {FP16: 100}}
    values = constants.values(lambda single: single == FP64, lambda leaf: leaf == IS_PVC)
    assert values == {101: True, 100: False, 7: False, 8: True}


def test_several_constants_may_stand_for_the_same() -> None:
    """Other toolchains need not share them."""
    kernels = {
        "k": reqs_properties(KERNEL_REQS_SET, {"k": FP64}, {7: FP64})["k"],
        "l": reqs_properties(KERNEL_REQS_SET, {"l": FP64}, {8: FP64})["l"],
    }
    asked = b"".join(word.to_bytes(4, "little") for word in (100, 6, 101, 6))
    sets: PropertySets = {KERNEL_REQS_SET: kernels, SPECIAL_CONSTANTS_SET: {"aspects": asked}}
    values = constants_of(sets).values(lambda _: True, lambda _: False)
    assert values == {7: True, 8: True, 100: False, 101: False}


@pytest.mark.parametrize("words", [[1], [1, 0xFFFF_FFFF]])
def test_bad_constants(words: list[int]) -> None:
    data = b"".join(word.to_bytes(4, "little") for word in words)
    with pytest.raises(FormatError, match="'aspects' of set 'SYCL/special specialization"):
        constants_of({SPECIAL_CONSTANTS_SET: {"aspects": data}})


def test_conditional_calls_come_back() -> None:
    calls = {"k": (ConditionalCall(HAS_FP64, "a"), ConditionalCall(IS_PVC, "böse")), "a": ()}
    properties = conditional_call_properties(calls)
    assert conditional_calls_of({CONDITIONAL_CALLS_SET: properties}) == {"k": calls["k"]}


@given(st.binary(max_size=40))
def test_any_bytes_are_calls_or_an_error(data: bytes) -> None:
    # Anything but `FormatError` would be a failure.
    with suppress(FormatError):
        calls = conditional_calls_of({CONDITIONAL_CALLS_SET: {"k": data}})
        assert conditional_call_properties(calls) == ({"k": data} if data else {})


def test_conditional_aspects_come_in_pairs() -> None:
    both = Condition((AND, ASPECT, 6, NOT, ARCHITECTURE, 20))
    properties = conditional_aspect_properties({HAS_FP64: (6,), both: (5, 6)})
    assert list(properties) == [
        "condition-0",
        "conditional-aspects-0",
        "condition-1",
        "conditional-aspects-1",
    ]
    sets = {DEVICE_REQUIREMENTS_SET: properties}
    assert conditional_aspects_of(sets) == {HAS_FP64: (6,), both: (5, 6)}
    del properties["conditional-aspects-1"]
    with pytest.raises(FormatError, match="there is no 'conditional-aspects-1'"):
        conditional_aspects_of(sets)


def test_filtered_kernels_come_back() -> None:
    lacking = {"intel_gpu_dg1": {"k": ("aspect 'fp64'", "sub-groups of 64"), "m": ("x",)}}
    properties = filtered_kernel_properties({**lacking, "intel_gpu_pvc": {}})
    assert filtered_kernels_of({FILTERED_KERNELS_SET: properties}) == lacking


def test_imports_of_actions_come_back() -> None:
    made = conditional_import_properties({"a": ["f", "g"], "b": [], "c": ["f"]})
    assert made == {"a": b"f\ng", "c": b"f"}
    assert conditional_imports_of({CONDITIONAL_IMPORTS_SET: made}) == {"a": ("f", "g"), "c": ("f",)}


def test_which_images_have_conditions() -> None:
    assert not has_conditions({DEVICE_REQUIREMENTS_SET: {"aspects": b""}, "SYCL/kernels": {"k": 1}})
    assert has_conditions({KERNEL_REQS_SET: {"k": b""}})
    assert not has_conditions({CONDITIONAL_CALLS_SET: {"k": b""}}), "it may call add-ons"
    pairs = conditional_aspect_properties({HAS_FP64: (5,)})
    assert has_conditions({DEVICE_REQUIREMENTS_SET: pairs})
