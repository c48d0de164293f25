"""Which of asking and waiting is chosen."""

import pytest

from dovetail.runtime.opencl.patience import Patience


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in a list."""
    now = [100.0]
    monkeypatch.setattr("dovetail.runtime.opencl.patience.monotonic", lambda: now[0])
    return now


def _wait(patience: Patience, clock: list[float], asking: float, waiting: float) -> bool:
    """One wait, with what it takes either way; whether it asked."""
    patience.waits_left -= 1
    if patience.waits_left <= 0:
        patience.reconsider()
    clock[0] += asking if patience.asks else waiting
    return patience.asks


@pytest.mark.parametrize(("asking", "waiting", "share"), [(4, 6, 0.95), (8, 6, 0.05)])
def test_the_quicker_one_is_used_most_of_the_time(
    clock: list[float], asking: float, waiting: float, share: float
) -> None:
    patience = Patience()
    asked = [_wait(patience, clock, asking, waiting) for _ in range(10_000)]
    assert sum(asked) / len(asked) == pytest.approx(share, abs=0.03)


def test_what_changes_is_noticed(clock: list[float]) -> None:
    patience = Patience()
    for asking in (4, 8, 4, 8):
        asked = [_wait(patience, clock, asking, 6) for _ in range(2_000)]
        assert (sum(asked[600:]) > 1_000) == (asking < 6)
