"""Waits that are interrupted, with a mock driver."""

import _thread
import signal
import threading
from collections.abc import Iterator

import pytest
from patience import PATIENCE, eventually

from dovetail.runtime import interruptible
from dovetail.runtime.interruptible import has_unfinished_waits, wait_interruptibly
from dovetail.runtime.threads import Job


@pytest.fixture(autouse=True)
def interrupts_are_handled() -> Iterator[None]:
    """As in a program that a user can interrupt; whoever runs tests may have them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_who_is_interrupted_leaves_a_thread_that_waits_on() -> None:
    may_end = threading.Event()

    def wait() -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        may_end.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        wait_interruptibly(wait)
    assert has_unfinished_waits()
    may_end.set()
    assert eventually(lambda: not has_unfinished_waits())


def test_a_signal_that_does_not_end_the_system_call_is_seen_all_the_same() -> None:
    """As one does that comes just before Python blocks."""
    may_end = threading.Event()

    def wait() -> None:
        # Marks the signal as received, and leaves the main thread where it is.
        _thread.interrupt_main(signal.SIGINT)
        may_end.wait(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        wait_interruptibly(wait)
    assert has_unfinished_waits()
    may_end.set()
    assert eventually(lambda: not has_unfinished_waits())


def test_who_is_interrupted_before_the_other_thread_has_begun_leaves_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handed_over: list[Job] = []

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(interruptible, "run_in_thread", handed_over.append)
    monkeypatch.setattr("dovetail.runtime.interruptible._Job.result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        wait_interruptibly(lambda: None)
    assert has_unfinished_waits()
    handed_over[0]()
    assert eventually(lambda: not has_unfinished_waits())


def test_a_thread_that_cannot_be_had_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(job: Job) -> None:
        raise KeyboardInterrupt

    assert eventually(lambda: not has_unfinished_waits())
    monkeypatch.setattr(interruptible, "run_in_thread", interrupted)
    with pytest.raises(KeyboardInterrupt):
        wait_interruptibly(lambda: None)
    assert not has_unfinished_waits()


def test_a_wait_that_ends_leaves_nobody() -> None:
    # Other tests in this process may have left threads that are about to end.
    wait_interruptibly(lambda: None)
    assert eventually(lambda: not has_unfinished_waits())
    with pytest.raises(ValueError, match="lost"):
        wait_interruptibly(_fail)
    assert eventually(lambda: not has_unfinished_waits())


def _fail() -> None:
    raise ValueError("lost")
