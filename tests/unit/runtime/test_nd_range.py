"""Launch ranges."""

import numpy as np
import pytest

from dovetail.errors import ArgumentError
from dovetail.runtime.backend import DeviceDescription, DeviceKind, Limits
from dovetail.runtime.nd_range import NdRange, Size

DEVICE = DeviceDescription(
    backend="test",
    platform="test",
    name="small",
    kind=DeviceKind.CPU,
    driver_version="1",
    limits=Limits(64, (4, 16, 64), 1 << 10, 1 << 20, 1 << 18),
    sub_group_sizes=(),
    spirv_versions=("1.0",),
    extensions=frozenset(),
)


def test_dimensions_are_reversed_for_drivers() -> None:
    assert NdRange((2, 4, 8), (1, 2, 4)).innermost_first == ((8, 4, 2), (4, 2, 1))
    assert NdRange((2, 4)).innermost_first == ((4, 2), None)
    assert NdRange(64, 16).innermost_first == ((64,), (16,))


def test_ranges_are_values() -> None:
    assert NdRange(64, 16) == NdRange((64,), (16,)) != NdRange(64)
    assert len({NdRange(64), NdRange((64,)), NdRange(32)}) == 2
    assert NdRange(64) != 64
    assert repr(NdRange((2, 4), (1, 2))) == "NdRange((2, 4), (1, 2))"
    assert NdRange(np.int64(8), [np.uint8(2)]).dimensions == 1


@pytest.mark.parametrize(
    ("global_size", "local_size", "message"),
    [
        ((), None, "expected a global size of 1, 2 or 3 dimensions, got 0: ()"),
        ((1, 1, 1, 1), None, "expected a global size of 1, 2 or 3 dimensions, got 4"),
        ((4, 0), None, "dimension 1 of the global size (4, 0) is not positive"),
        (-1, None, "not positive"),
        (2.5, None, "expected a global size of integers, got 2.5"),
        ("ab", None, "expected a global size of integers, got 'ab'"),
        ((8, 8), (2,), "global size (8, 8) has 2 dimensions and the local size (2,) has 1"),
        ((8, 9), (2, 2), "dimension 1 of the global size (8, 9) is not divisible by the local"),
        (8, 0, "dimension 0 of the local size (0,) is not positive"),
    ],
)
def test_ranges_that_make_no_sense(global_size: Size, local_size: Size, message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        NdRange(global_size, local_size)
    assert message in str(raised.value)


@pytest.mark.parametrize("local", [None, (64,), (16, 4), (4, 4, 4)])
def test_groups_that_fit(local: tuple[int, ...] | None) -> None:
    size = (64,) if local is None else local
    NdRange(size, local).check_fits(DEVICE)


@pytest.mark.parametrize(
    ("local", "message"),
    [
        ((128,), "the work-group (128,) has 128 work-items; 'small' supports up to 64"),
        ((32, 1), "dimension 0 of the work-group (32, 1) is 32; 'small' supports up to 16 there"),
        ((8, 2, 2), "dimension 0 of the work-group (8, 2, 2) is 8; 'small' supports up to 4 there"),
    ],
)
def test_groups_that_do_not_fit(local: tuple[int, ...], message: str) -> None:
    with pytest.raises(ArgumentError) as raised:
        NdRange(local, local).check_fits(DEVICE)
    assert str(raised.value) == message
