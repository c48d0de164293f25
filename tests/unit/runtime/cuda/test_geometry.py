"""Grids of launches: work-groups that divide any range, within CUDA's limits."""

from math import prod

import pytest
from hypothesis import given, strategies as st

from dovetail.runtime.cuda.geometry import chosen_group, grid_of
from dovetail.runtime.nd_range import RangeError

SIZES = st.lists(st.integers(1, 5000), min_size=1, max_size=3).map(tuple)


@given(SIZES, st.sampled_from([32, 256, 512, 1024]))
def test_a_chosen_group_divides_the_range(whole: tuple[int, ...], most: int) -> None:
    group = chosen_group(whole, most)
    assert all(size % part == 0 for size, part in zip(whole, group, strict=True))
    assert prod(group) <= min(256, most)


@pytest.mark.parametrize(
    ("whole", "group"),
    [
        ((1024,), (256,)),
        ((96,), (96,)),
        # 320 has the divisor 160, which is made up of whole sub-groups.
        ((320,), (160,)),
        ((1009,), (1,)),
        ((10, 6, 4), (10, 6, 4)),
        ((32, 32), (32, 8)),
        ((1, 1, 1024), (1, 1, 64)),
    ],
)
def test_choices(whole: tuple[int, ...], group: tuple[int, ...]) -> None:
    assert chosen_group(whole, 1024) == group


def test_dimensions_are_padded() -> None:
    assert grid_of((64,), (32,), 1024) == (2, 1, 1, 32, 1, 1)
    assert grid_of((64, 6), (32, 2), 1024) == (2, 3, 1, 32, 2, 1)


def test_limits() -> None:
    assert grid_of((1 << 31,), (2,), 1024)[0] == 1 << 30
    with pytest.raises(RangeError) as raised:
        grid_of((1, 1, 1 << 17), (1, 1, 1), 1024)
    assert str(raised.value) == (
        "the range (131072, 1, 1) in work-groups of (1, 1, 1) has 131072 groups in dimension 0;"
        " CUDA supports up to 65535 there\n"
        "launch it with larger work-groups, or with the large dimension last"
    )
