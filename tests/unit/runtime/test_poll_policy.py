"""Whether waits poll or block, with invented costs of both."""

from collections.abc import Iterator

from dovetail.runtime.opencl.poll_policy import PollPolicy

US = 1e-6


def waits(policy: PollPolicy, count: int, *, blocking: float, polling: float) -> Iterator[bool]:
    """Wait so often; whether each wait polls."""
    now = 0.0
    policy.measured(now)
    for _ in range(count):
        polls = policy.polls
        now += polling if polls else blocking
        policy.measured(now)
        yield polls


def share_of_polling(policy: PollPolicy, *, blocking: float, polling: float) -> float:
    """In twenty thousand waits, after the policy has had time to settle."""
    list(waits(policy, 20_000, blocking=blocking, polling=polling))
    return sum(waits(policy, 20_000, blocking=blocking, polling=polling)) / 20_000


def test_the_faster_mode_is_taken_almost_always() -> None:
    assert share_of_polling(PollPolicy(), blocking=7 * US, polling=5 * US) > 0.95
    assert share_of_polling(PollPolicy(), blocking=4 * US, polling=16 * US) < 0.05


def test_the_slower_mode_is_tried_again() -> None:
    share = share_of_polling(PollPolicy(), blocking=4 * US, polling=16 * US)
    assert share > 0


def test_a_change_of_the_machine_is_noticed() -> None:
    policy = PollPolicy()
    for blocking, polling, polls in [(4, 16, 0), (9, 5, 1), (5, 40, 0), (16, 5, 1)]:
        share = share_of_polling(policy, blocking=blocking * US, polling=polling * US)
        assert round(share) == polls


def test_a_single_long_wait_counts_for_little() -> None:
    policy = PollPolicy()
    list(waits(policy, 20_000, blocking=8 * US, polling=5 * US))
    list(waits(policy, 3, blocking=1.0, polling=1.0))
    assert sum(waits(policy, 20_000, blocking=8 * US, polling=5 * US)) > 19_000


def test_a_mode_that_becomes_slower_is_left_at_once() -> None:
    policy = PollPolicy()
    list(waits(policy, 20_000, blocking=8 * US, polling=5 * US))
    slow = list(waits(policy, 1_000, blocking=8 * US, polling=20 * US))
    assert sum(slow) < 200


def test_a_pause_of_the_program_does_not_change_the_mode() -> None:
    policy = PollPolicy()
    list(waits(policy, 20_000, blocking=8 * US, polling=7.5 * US))
    polling = 0
    for _ in range(20):
        policy.measured(1.0)  # the clock of `waits` starts again at zero
        polling += sum(waits(policy, 500, blocking=8 * US, polling=7.5 * US))
    assert polling > 9_700
