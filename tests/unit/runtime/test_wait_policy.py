"""Which waits are expected to be short."""

from math import inf

import pytest

from dovetail.runtime.backend import Durations
from dovetail.runtime.opencl import wait_policy
from dovetail.runtime.opencl.wait_policy import LONGEST_BLOCK_S, WaitPolicy

QUICK, SLOW = LONGEST_BLOCK_S / 10, LONGEST_BLOCK_S * 10
SIZE = (64, 2)


def seen(*seconds: float, size: tuple[int, ...] = SIZE) -> Durations:
    """What is known of a kernel that was launched alone several times."""
    durations: Durations = {}
    policy = WaitPolicy()
    for each in seconds:
        policy.expect_unknown(durations, size, ())
        policy.learn(each)
    return durations


def expected(durations: Durations, size: tuple[int, ...] = SIZE) -> float:
    policy = WaitPolicy()
    policy.expect_unknown(durations, size, ())
    return policy.expected


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
    policy = WaitPolicy()
    policy.expect_unknown(seen(QUICK), SIZE, [object()])
    assert policy.expected == inf
    # How long that took says nothing of the kernel.
    assert policy.unknown == []


def test_all_that_is_outstanding_counts() -> None:
    policy = WaitPolicy()
    policy.expect_unknown(seen(QUICK), SIZE, ())
    policy.expect_transfer(1000, ())
    assert QUICK < policy.expected < 2 * QUICK
    policy.expect_unknown({}, SIZE, ())
    policy.expect_transfer(0, ())
    assert policy.expected == inf


def test_large_copies_take_their_time() -> None:
    policy = WaitPolicy()
    policy.expect_transfer(1 << 30, ())
    assert policy.expected > LONGEST_BLOCK_S
    policy = WaitPolicy()
    policy.expect_transfer(1, [object()])
    assert policy.expected == inf


def test_work_that_took_long_against_expectations_is_waited_for_with_care() -> None:
    policy = WaitPolicy()
    policy.learn(SLOW)
    assert policy.expected == inf
    policy.learn(QUICK)
    assert policy.expected == 0


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wait_policy, "_MAX_RANGES", 10)
    durations: Durations = {}
    policy = WaitPolicy()
    for size in range(1, 1000):
        policy.expect_unknown(durations, (size,), ())
        policy.learn(QUICK)
    assert 0 < len(durations) <= 12
