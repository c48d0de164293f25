"""Conditions in words."""

import pytest
from hypothesis import given
from random_conditions import ASPECTS, Condition, all_devices, conditions, truth

from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, OR, in_words, read_condition

CPU, GPU, FP16, FP64 = (ASPECT, 1), (ASPECT, 2), (ASPECT, 5), (ASPECT, 6)
PVC = (ARCHITECTURE, 20)


@pytest.mark.parametrize(
    ("ints", "words"),
    [
        (FP64, "fp64"),
        ((AND, *FP64, NOT, *PVC), "fp64 and not intel_gpu_pvc"),
        ((AND, *GPU, AND, *FP16, *FP64), "gpu and fp16 and fp64"),
        ((AND, AND, *GPU, *FP16, *FP64), "gpu and fp16 and fp64"),
        ((OR, *GPU, AND, *FP16, *FP64), "gpu or fp16 and fp64"),
        ((AND, OR, *CPU, *GPU, *FP64), "(cpu or gpu) and fp64"),
        ((NOT, AND, *FP16, *FP64), "not (fp16 and fp64)"),
        ((NOT, OR, *FP16, AND, *GPU, *FP64), "not (fp16 or gpu and fp64)"),
        ((NOT, NOT, *FP16), "not not fp16"),
        ((OR, ASPECT, 4711, NOT, ARCHITECTURE, 4711), "aspect 4711 or not architecture 4711"),
        ((OR, ARCHITECTURE, 0, ARCHITECTURE, 13), "x86_64 or intel_gpu_adl_s"),
    ],
)
def test_words(ints: tuple[int, ...], words: str) -> None:
    assert in_words(read_condition(ints)) == words


NAMES = dict(zip(ASPECTS, ("gpu", "fp16", "fp64"), strict=True))
ARCHITECTURES = {0: "x86_64", 17: "intel_gpu_acm_g10", 20: "intel_gpu_pvc"}


@given(conditions())
def test_python_reads_the_same_in_them(condition: Condition) -> None:
    words = in_words(condition)
    for device in all_devices():
        values = {name: number in device.aspects for number, name in NAMES.items()}
        values |= {name: number == device.architecture for number, name in ARCHITECTURES.items()}
        assert eval(words, values) == truth(condition, device)
