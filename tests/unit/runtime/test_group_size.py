"""Work-group sizes for ranges that drivers would run in groups of one."""

from math import prod

import pytest

from dovetail.runtime.group_size import uneven_group


@pytest.mark.parametrize(
    "whole",
    [
        (1 << 25,),
        (1000,),
        (999_936,),
        (7,),
        (61,),
        (1009, 997),
        (1 << 20, 3),
        (3, 1 << 20),
        (33_554_430,),
        (2 * 3 * 5 * 7 * 11 * 13 * 17,),
    ],
)
def test_the_driver_chooses_where_it_can_divide(whole: tuple[int, ...]) -> None:
    assert uneven_group(whole, 8192, 2) is None


@pytest.mark.parametrize(
    ("whole", "group"),
    [
        ((33_554_393,), (1024,)),
        ((1009,), (126,)),
        ((1_000_003, 3), (1024, 1)),
        ((3, 1_000_003), (3, 341)),
        ((3, 5, 1_000_003), (3, 5, 68)),
        ((2 * 1_000_003,), (1024,)),
    ],
)
def test_what_nothing_divides_gets_groups_of_a_good_size(
    whole: tuple[int, ...], group: tuple[int, ...]
) -> None:
    assert uneven_group(whole, 8192, 2) == group
    assert prod(group) <= 1024


def test_every_processor_gets_several_groups() -> None:
    assert uneven_group((65_521,), 8192, 2) == (1024,)
    assert uneven_group((65_521,), 8192, 64) == (255,)
    assert uneven_group((65_521,), 8192, 512) is None


def test_a_kernel_that_takes_small_groups_alone() -> None:
    assert uneven_group((65_521,), 100, 2) == (100,)
    assert uneven_group((65_521,), 1, 2) is None
