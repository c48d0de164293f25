"""What is certain of every device that satisfies a condition."""

import pytest
from hypothesis import given, strategies as st
from random_conditions import ASPECTS, all_devices, conditions, truth

from dovetail.conditions import (
    AND,
    ARCHITECTURE,
    ASPECT,
    NOT,
    OR,
    Condition,
    always_has,
    read_condition,
)
from dovetail.conditions.cases import cases_of
from dovetail.conditions.diagram import Diagram, TooLarge
from dovetail.conditions.normal import MAX_STEPS
from dovetail.targets import Target, default_table

GPU, FP16, FP64 = (ASPECT, 2), (ASPECT, 5), (ASPECT, 6)
ACM, PVC, ADL_S, NEW = ((ARCHITECTURE, number) for number in (17, 20, 13, 4711))

TABLE = default_table().with_targets(
    [
        Target("intel_gpu_pvc", ("gpu", "fp64"), True, absent_aspects=("cpu",)),
        Target("intel_gpu_acm_g10", ("gpu", "fp16"), False),
        Target("intel_gpu_adl_s", ("gpu", "fp16"), True, absent_aspects=("fp64", "cpu")),
        Target("intel_gpu_rpl_s", ("gpu",), True, absent_aspects=("fp64",)),
    ]
)


@pytest.mark.parametrize(
    ("ints", "aspect", "expected"),
    [
        (FP16, 5, True),
        (FP16, 6, False),
        ((AND, *FP16, *GPU), 5, True),
        ((OR, *FP16, *GPU), 5, False),
        ((OR, AND, *FP16, *GPU, AND, NOT, *GPU, *FP16), 5, True),
        (PVC, 6, True),
        (PVC, 5, False),
        ((NOT, *PVC), 6, False),
        ((OR, *PVC, *ACM), 2, True),
        ((OR, *PVC, *ACM), 6, False),
        ((OR, *PVC, *NEW), 2, False),
        (NEW, 2, False),
        (PVC, 4711, False),
        ((AND, *NEW, *GPU), 2, True),
        # Mixtures: one branch by the table, the other by the condition.
        ((OR, *PVC, *FP64), 6, True),
        ((OR, *PVC, AND, *FP16, *FP64), 6, True),
        # Impossible branches: that architecture lacks what the branch demands.
        ((OR, *PVC, AND, *ACM, *FP64), 6, True),
        ((AND, *ACM, *FP64), 9, True),
        ((AND, *PVC, ASPECT, 1), 9, True),
        ((AND, *ACM, NOT, *GPU), 9, True),
        # Targets that share an architecture: what holds for both.
        (ADL_S, 2, True),
        (ADL_S, 5, False),
        ((AND, *ADL_S, *FP64), 9, True),
        ((AND, *ADL_S, ASPECT, 1), 9, False),
    ],
)
def test_proofs(ints: tuple[int, ...], aspect: int, expected: bool) -> None:
    assert always_has(read_condition(ints), aspect, TABLE) is expected


@given(conditions(architectures=(4711, 4712)), st.sampled_from(ASPECTS))
def test_where_the_table_knows_nothing_it_is_what_all_devices_say(
    condition: Condition, aspect: int
) -> None:
    devices = all_devices(architectures=(4711, 4712))
    certain = all(aspect in each.aspects for each in devices if truth(condition, each))
    assert always_has(condition, aspect, TABLE) == certain


@given(conditions(architectures=(17, 20)), st.sampled_from(ASPECTS))
def test_with_the_table_it_is_what_all_possible_devices_say(
    condition: Condition, aspect: int
) -> None:
    possible = [
        each
        for each in all_devices(architectures=(17, 20))
        if (each.architecture != 17 or each.aspects == frozenset({2, 5}))
        and (each.architecture != 20 or each.aspects >= {2, 6})
    ]
    certain = all(aspect in each.aspects for each in possible if truth(condition, each))
    assert always_has(condition, aspect, TABLE) == certain


def test_what_is_too_large_proves_what_it_demands() -> None:
    large: tuple[int, ...] = (ASPECT, 50)
    for each in range(20):
        large = (OR, AND, ASPECT, each, ASPECT, each + 20, *large)
    with pytest.raises(TooLarge):
        cases_of(read_condition(large), Diagram(MAX_STEPS))
    assert always_has(read_condition((AND, *FP64, AND, *large, *FP16)), 6, TABLE)
    assert not always_has(read_condition((AND, *FP64, AND, *large, *FP16)), 99, TABLE)
    assert not always_has(read_condition((OR, *FP64, *large)), 6, TABLE)
    assert always_has(read_condition((*_demanding(200), *FP64)), 6, TABLE)


def _demanding(count: int) -> tuple[int, ...]:
    return tuple(each for aspect in range(100, 100 + count) for each in (AND, ASPECT, aspect))
