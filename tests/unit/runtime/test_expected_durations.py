"""Which waits are expected to be short."""

from math import inf

import pytest

from dovetail.runtime.backend import Durations
from dovetail.runtime.opencl import expected_durations
from dovetail.runtime.opencl.expected_durations import LONGEST_BLOCK_S, ExpectedDurations

QUICK, SLOW = LONGEST_BLOCK_S / 10, LONGEST_BLOCK_S * 10
SIZE = (64, 2)


def seen(*seconds: float, size: tuple[int, ...] = SIZE) -> Durations:
    """What is known of a kernel that was launched alone several times."""
    durations: Durations = {}
    work = ExpectedDurations()
    for each in seconds:
        work.expect_unknown(durations, size, ())
        work.learn(each)
    return durations


def expected(durations: Durations, size: tuple[int, ...] = SIZE) -> float:
    work = ExpectedDurations()
    work.expect_unknown(durations, size, ())
    return work.seconds


def test_a_kernel_that_was_never_seen_may_take_forever() -> None:
    assert expected({}) == inf


def test_a_kernel_is_expected_to_take_as_long_as_the_last_time() -> None:
    assert seen(QUICK)[SIZE] == QUICK
    assert expected(seen(QUICK)) == QUICK


def test_only_ranges_of_about_the_same_size_are_expected_to_take_as_long() -> None:
    durations = seen(QUICK, size=(100,))
    assert expected(durations, (127,)) == QUICK
    assert expected(durations, (64,)) == QUICK
    assert expected(durations, (128,)) == inf
    assert expected(durations, (10,)) == inf


def test_a_kernel_that_took_long_is_not_known() -> None:
    assert expected(seen(SLOW)) == inf
    assert SIZE not in seen(SLOW)


def test_what_waits_for_other_work_may_take_forever() -> None:
    work = ExpectedDurations()
    work.expect_unknown(seen(QUICK), SIZE, [object()])
    assert work.seconds == inf
    # How long that took says nothing of the kernel.
    assert work.unknown == []


def test_all_that_is_outstanding_counts() -> None:
    work = ExpectedDurations()
    work.expect_unknown(seen(QUICK), SIZE, ())
    work.expect_transfer(1000, ())
    assert QUICK < work.seconds < 2 * QUICK
    work.expect_unknown({}, SIZE, ())
    work.expect_transfer(0, ())
    assert work.seconds == inf


def test_large_copies_take_their_time() -> None:
    work = ExpectedDurations()
    work.expect_transfer(1 << 30, ())
    assert work.seconds > LONGEST_BLOCK_S
    work = ExpectedDurations()
    work.expect_transfer(1, [object()])
    assert work.seconds == inf


def test_work_that_took_long_against_expectations_is_waited_for_with_care() -> None:
    work = ExpectedDurations()
    work.learn(SLOW)
    assert work.seconds == inf
    work.learn(QUICK)
    assert work.seconds == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected_durations, "_MAX_RANGES", 10)
    durations: Durations = {}
    work = ExpectedDurations()
    for size in range(1, 1000):
        work.expect_unknown(durations, (size,), ())
        work.learn(QUICK)
    assert 0 < len(durations) <= 12
