"""Counting the threads in the runtime, and waiting for them before the process ends."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from patience import PATIENCE, eventually

from dovetail.runtime.host import ending
from dovetail.runtime.host.ending import threads_inside, wait_for_other_threads
from dovetail.runtime.host.guard import Messages, guarded
from dovetail.runtime.host.structures import LibraryList
from dovetail.runtime.host.table import SIGNATURES, has_result, make_table, parameter_count
from dovetail.runtime.interruptible import wait_interruptibly
from dovetail.runtime.threads import run_in_thread


@pytest.fixture(autouse=True)
def nobody_is_inside() -> Iterator[None]:
    """Threads of other tests in this process have left, and those of this one leave."""
    assert eventually(lambda: threads_inside() == 0)
    yield
    assert eventually(lambda: threads_inside() == 0)


def _call(function: Callable[[], None]) -> None:
    """Call it as host code does."""
    assert guarded(function, Messages())() == 0


def test_each_function_of_the_table_counts_its_caller() -> None:
    seen: list[int] = []

    def function(name: str) -> Callable[..., int]:
        return guarded(
            lambda *_: seen.append(threads_inside()),
            Messages(),
            parameters=parameter_count(name),
            has_result=has_result(name),
        )

    table = make_table(function, LibraryList())
    for name in SIGNATURES:
        assert getattr(table, name)(*[0] * parameter_count(name)) == 0
        assert threads_inside() == 0
    assert seen == [1] * len(SIGNATURES)


@pytest.mark.parametrize("parameters", [0, 1, 4])
def test_a_call_that_fails_has_left(parameters: int) -> None:
    def fail(*_: object) -> None:
        assert threads_inside() == 1
        raise KeyboardInterrupt

    assert guarded(fail, Messages(), parameters=parameters)(*[0] * parameters)
    assert threads_inside() == 0


def test_calls_in_calls_count_twice() -> None:
    seen: list[int] = []
    _call(lambda: _call(lambda: seen.append(threads_inside())))
    assert seen == [2]


def test_calls_of_many_threads_at_once_are_all_counted() -> None:
    inside = threading.Barrier(9)
    may_leave = threading.Event()

    def stay() -> None:
        inside.wait(PATIENCE)
        may_leave.wait(PATIENCE)

    def work() -> None:
        for _ in range(20_000):
            call(0)
        _call(stay)

    def leave(_: int) -> None:
        pass

    call = guarded(leave, Messages(), parameters=1)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        inside.wait(PATIENCE)
        assert threads_inside() == 8
    finally:
        may_leave.set()
        sys.setswitchinterval(interval)
    for worker in workers:
        worker.join()


def test_a_worker_counts_while_it_has_a_job() -> None:
    has_begun, may_end = threading.Event(), threading.Event()

    def job() -> None:
        has_begun.set()
        may_end.wait(PATIENCE)

    run_in_thread(job)
    assert has_begun.wait(PATIENCE)
    assert threads_inside() == 1
    may_end.set()


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_DFL])
def test_threads_that_wait_interruptibly_do_not_count(handler: signal.Handlers) -> None:
    """With a handler, another thread is in the driver for the main thread."""
    seen: list[int] = []

    def wait() -> None:
        # The main thread counts until it waits for this one.
        seen.append(eventually(lambda: threads_inside() == 0))

    before = signal.signal(signal.SIGINT, handler)
    try:
        _call(lambda: wait_interruptibly(wait))
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [True]


def test_the_process_ends_when_the_last_other_thread_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "TIMEOUT_S", PATIENCE)
    threads = [_Thread(), _Thread()]
    ended = threading.Event()

    def end() -> None:
        wait_for_other_threads()
        ended.set()

    ends = threading.Thread(target=end)
    ends.start()
    for thread in threads:
        assert not ended.wait(0.05)
        thread.may_leave.set()
    assert ended.wait(PATIENCE)
    ends.join()


def test_the_thread_that_ends_the_process_does_not_wait_for_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ending, "TIMEOUT_S", 30.0)
    begin = monotonic()
    _call(lambda: _call(wait_for_other_threads))
    done = threading.Event()

    def job() -> None:
        wait_for_other_threads()
        done.set()

    run_in_thread(job)
    assert done.wait(PATIENCE)
    assert monotonic() - begin < ending.TIMEOUT_S


def test_a_thread_that_does_not_leave_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = _Thread()
    monkeypatch.setattr(ending, "TIMEOUT_S", 0.1)
    begin = monotonic()
    wait_for_other_threads()
    assert monotonic() - begin >= ending.TIMEOUT_S
    thread.may_leave.set()


class _Thread:
    """A thread that is in a call until it may leave."""

    def __init__(self) -> None:
        self.may_leave, entered = threading.Event(), threading.Event()

        def stay() -> None:
            entered.set()
            self.may_leave.wait(PATIENCE)

        threading.Thread(target=lambda: _call(stay)).start()
        assert entered.wait(PATIENCE)
