"""Whether waits ask."""

from dovetail.runtime.opencl.patience import Patience


def _wait(patience: Patience, *, is_vain: bool) -> bool:
    """One wait; whether it asked."""
    patience.waits_left -= 1
    if patience.waits_left <= 0:
        patience.reconsider()
    asked = patience.asks
    if asked and is_vain:
        patience.asked_in_vain()
    return asked


def test_where_asking_is_of_use_all_ask() -> None:
    patience = Patience()
    assert all(_wait(patience, is_vain=False) for _ in range(1_000))


def test_asking_in_vain_is_tried_less_and_less() -> None:
    patience = Patience()
    asked = [_wait(patience, is_vain=True) for _ in range(10_000)]
    assert sum(asked[:100]) > 4
    assert sum(asked) < 60
    assert sum(asked[5_000:]) < 25


def test_asking_is_taken_up_again_and_a_single_failure_counts_for_little() -> None:
    patience = Patience()
    for _ in range(10_000):
        _wait(patience, is_vain=True)
    asked = [_wait(patience, is_vain=False) for _ in range(1_000)]
    assert all(asked[300:])
    patience.asked_in_vain()
    assert sum(_wait(patience, is_vain=False) for _ in range(100)) > 94
