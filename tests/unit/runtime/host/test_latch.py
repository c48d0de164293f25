"""Latches, and what threads of the runtime's do behind them."""

import threading
from collections import deque

import pytest
from mock_device import MockCommand, mock_device
from patience import PATIENCE, eventually

from dovetail.runtime import threads
from dovetail.runtime.host.dependencies import run_after
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import HostQueue
from dovetail.runtime.threads import _idle, run_in_thread  # pyright: ignore[reportPrivateUsage]


def test_a_latch_has_one_gate_for_each_device() -> None:
    devices = [mock_device()[1] for _ in range(2)]
    latch = Latch()
    events = [latch.event_on(device)[0] for device in (*devices, *devices)]
    assert events[:2] == events[2:]
    assert events[0] is not events[1]
    assert not any(event.over for event in events)
    assert not latch.done
    latch.open()
    latch.open()
    latch.settle()
    assert all(event.over for event in events)
    assert latch.done
    assert latch.event_on(devices[0]) == ()


def test_what_follows_a_latch_is_called_once() -> None:
    latch, called = Latch(), list[str]()
    latch.then(lambda: called.append("early"))
    assert not called
    latch.open()
    latch.open()
    latch.then(lambda: called.append("late"))
    assert called == ["early", "late"]


def test_the_host_acts_after_latches_and_work() -> None:
    machine, device = mock_device()
    machine.paused = {"work"}
    work = HostQueue(device, 0).start(MockCommand("work"), {})
    latches, acted = [Latch(), Latch()], threading.Event()
    run_after([latches[0], work, latches[1], latches[0]], acted.set)
    latches[1].open()
    latches[0].open()
    assert not acted.is_set()
    machine.go_on("work")
    assert acted.wait(PATIENCE)
    assert work.done


def test_jobs_that_wait_for_each_other_all_run() -> None:
    everybody = threading.Barrier(21)
    for _ in range(20):
        run_in_thread(lambda: _meet(everybody))
    everybody.wait(PATIENCE)
    # Those threads are used again.
    assert eventually(lambda: len(_idle) >= 20)
    count = threading.active_count()
    for _ in range(20):
        run_in_thread(lambda: None)
        assert eventually(lambda: len(_idle) >= 20)
    assert threading.active_count() <= count


def _meet(everybody: threading.Barrier) -> None:
    everybody.wait(PATIENCE)


def test_without_more_threads_the_caller_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(threads, "_idle", deque[object]())
    called = list[int]()
    run_in_thread(lambda: called.append(threading.get_ident()))
    assert called == [threading.get_ident()]
