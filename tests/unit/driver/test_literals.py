"""The types of parameters with a few possible strings have the strings that are accepted."""

from typing import get_args

import pytest

from dovetail.driver import building, options
from dovetail.passes import ASPECT_USE_MODES, OPTIMIZATION_LEVELS
from dovetail.postlink import OptionalFeatures
from dovetail.runtime.backend import MemoryKind, MemoryKindName


@pytest.mark.parametrize(
    ("literal", "values"),
    [
        (building.AspectUseMode, ASPECT_USE_MODES),
        (building.DeviceIf, options.DEVICE_IF.value.split("|")),
        (building.DeviceIfResolution, ["", *options.DEVICE_IF_RESOLVE.value.split("|")]),
        (building.OptionalFeatureMode, [*OptionalFeatures]),
        (building.Standard, [f"{k}++{s}" for k in ("c", "gnu") for s in options.STANDARDS]),
        (MemoryKindName, [*MemoryKind]),
    ],
)
def test_type_checkers_know_the_values_of_options(literal: object, values: list[str]) -> None:
    assert sorted(get_args(literal)) == sorted(values)


def test_type_checkers_know_the_optimization_levels() -> None:
    assert {*map(str, get_args(building.OptimizationLevel))} == {*OPTIMIZATION_LEVELS}


@pytest.mark.parametrize("mode", get_args(building.CodeSplit))
def test_type_checkers_know_the_modes_of_splitting(mode: str) -> None:
    options.split_mode(mode)
