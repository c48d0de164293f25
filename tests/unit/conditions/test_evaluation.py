"""Conditions for devices and for targets of the table."""

import subprocess
import sys

import pytest
from hypothesis import given, strategies as st
from random_conditions import ASPECTS, MockDevice, all_devices, conditions, truth

from dovetail.conditions import (
    AND,
    ARCHITECTURE,
    ASPECT,
    MAX_INTEGERS,
    NOT,
    OR,
    Condition,
    ConditionResolution,
    architecture_matters,
    holds,
    read_condition,
    resolve,
)
from dovetail.targets import Target, default_table

DEVICES = all_devices()
GPU, FP16, FP64 = (ASPECT, 2), (ASPECT, 5), (ASPECT, 6)
ACM, PVC = (ARCHITECTURE, 17), (ARCHITECTURE, 20)


@given(conditions(), st.sampled_from(DEVICES))
def test_holds_by_definition_and_queries_no_aspect_twice(
    condition: Condition, device: MockDevice
) -> None:
    asked: list[int] = []

    def has_aspect(aspect: int) -> bool:
        asked.append(aspect)
        return aspect in device.aspects

    assert holds(condition, has_aspect, device.architecture) == truth(condition, device)
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("ints", "asked"),
    [
        ((AND, *FP64, *FP16), [6]),
        ((AND, NOT, *FP64, *FP16), [6, 5]),
        ((OR, NOT, *FP64, *FP16), [6]),
        ((OR, AND, *FP64, *FP16, *GPU), [6, 2]),
        ((AND, OR, NOT, *FP64, AND, *FP16, *FP16, *GPU), [6, 2]),
        ((OR, *FP64, OR, *FP64, *FP64), [6]),
    ],
)
def test_evaluation_short_circuits(ints: tuple[int, ...], asked: list[int]) -> None:
    questions: list[int] = []

    def has_aspect(aspect: int) -> bool:
        questions.append(aspect)
        return False

    holds(read_condition(ints), has_aspect, None)
    assert questions == asked


@pytest.mark.parametrize(
    ("operators", "expected"),
    [((NOT,), True), ((AND, *FP64), True), ((OR, NOT, *FP64), True), ((AND, NOT, *FP64), False)],
)
def test_depth(operators: tuple[int, ...], expected: bool) -> None:
    levels = (MAX_INTEGERS - 2) // len(operators) // 2 * 2
    condition = read_condition((*operators * levels, *FP64))
    assert holds(condition, lambda _: True, None) is expected


def test_unknown_numbers_are_false() -> None:
    newer = read_condition((OR, ASPECT, 4711, ARCHITECTURE, 4711))
    assert not holds(newer, lambda aspect: aspect < 100, 20)
    assert not holds(newer, lambda aspect: aspect < 100, None)


TABLE = default_table().with_targets(
    [
        Target("intel_gpu_pvc", ("gpu", "fp64"), True, absent_aspects=("cpu",)),
        Target("intel_gpu_acm_g10", ("gpu", "fp16"), False),
    ]
)


@pytest.mark.parametrize(
    ("name", "ints", "expected"),
    [
        ("intel_gpu_pvc", FP64, ConditionResolution(True, ())),
        ("intel_gpu_pvc", FP16, ConditionResolution(False, (5,))),
        ("intel_gpu_pvc", (NOT, *FP16), ConditionResolution(True, (5,))),
        ("intel_gpu_pvc", (ASPECT, 1), ConditionResolution(False, ())),
        ("intel_gpu_pvc", (OR, *FP16, *FP64), ConditionResolution(True, ())),
        ("intel_gpu_pvc", (AND, *FP16, NOT, *FP64), ConditionResolution(False, ())),
        ("intel_gpu_pvc", (AND, ASPECT, 9, *FP16), ConditionResolution(False, (5, 9))),
        ("intel_gpu_pvc", (OR, AND, *FP16, ASPECT, 1, ASPECT, 9), ConditionResolution(False, (9,))),
        ("intel_gpu_pvc", (ASPECT, 4711), ConditionResolution(False, (4711,))),
        ("intel_gpu_pvc", PVC, ConditionResolution(True, ())),
        ("intel_gpu_pvc", (OR, *FP16, *PVC), ConditionResolution(True, ())),
        ("intel_gpu_pvc", (AND, *FP16, *ACM), ConditionResolution(False, ())),
        ("intel_gpu_acm_g10", FP64, ConditionResolution(False, ())),
        ("intel_gpu_acm_g10", (ASPECT, 4711), ConditionResolution(False, ())),
        ("intel_gpu_acm_g10", ACM, ConditionResolution(True, ())),
        ("intel_gpu_12_55_8", ACM, ConditionResolution(True, ())),
        ("spir64_gen", ACM, ConditionResolution(False, ())),
    ],
)
def test_for_targets(name: str, ints: tuple[int, ...], expected: ConditionResolution) -> None:
    assert resolve(read_condition(ints), TABLE[name], TABLE) == expected


@pytest.mark.parametrize(
    ("name", "ints", "expected"),
    [
        ("spir64_gen", PVC, True),
        ("spir64_gen", (AND, *PVC, *FP64), True),
        ("spir64_gen", (OR, *PVC, ASPECT, 2), False),
        ("spir64_gen", (ARCHITECTURE, 0), False),
        ("spir64_gen", (ARCHITECTURE, 4711), False),
        ("spir64_gen", FP64, False),
        ("intel_gpu_pvc", PVC, False),
        ("x86_64", PVC, False),
    ],
)
def test_whether_architectures_of_a_target_differ(
    name: str, ints: tuple[int, ...], expected: bool
) -> None:
    assert architecture_matters(read_condition(ints), TABLE[name]) is expected


@given(conditions(), st.tuples(*[st.sampled_from(("yes", "no", "may"))] * len(ASPECTS)))
def test_aspects_that_are_not_assumed_missing_do_not_matter(
    condition: Condition, verdicts: tuple[str, ...]
) -> None:
    numbers = dict(zip(ASPECTS, verdicts, strict=True))
    names = dict(zip(ASPECTS, ("gpu", "fp16", "fp64"), strict=True))
    there = frozenset(number for number, verdict in numbers.items() if verdict == "yes")
    absent = tuple(names[number] for number, verdict in numbers.items() if verdict == "no")
    present = tuple(names[number] for number in sorted(there))
    target = Target("intel_gpu_pvc", present, True, absent_aspects=absent)
    resolution = resolve(condition, target, TABLE)
    assert resolution.holds == truth(condition, MockDevice(there, 20))
    assert all(numbers[each] == "may" for each in resolution.assumed_missing)
    for device in DEVICES:
        differing = there ^ device.aspects
        known = all(numbers[each] == "may" for each in differing)
        if device.architecture == 20 and known and not differing & {*resolution.assumed_missing}:
            assert truth(condition, device) == resolution.holds


def test_evaluating_needs_nothing_heavy() -> None:
    """The runtime evaluates conditions when programs start."""
    code = (
        "from dovetail.conditions import holds, condition_from_bytes\n"
        "import sys; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    assert not {"dataclasses", "hashlib", "dovetail.conditions.normal", "dovetail.targets"} & {
        *loaded
    }
