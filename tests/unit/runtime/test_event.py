"""Events and what they keep, with a queue that does as it is told."""

import gc
import weakref
from typing import cast

import pytest

from dovetail.errors import DeviceError
from dovetail.runtime.backend import BackendQueue
from dovetail.runtime.event import Event, Pending, WorkUnderWay


class _Queue:
    """Events are names; those in `over` are done, those in `failed` too."""

    def __init__(self) -> None:
        self.over: set[str] = set()
        self.failed: set[str] = set()
        self.asked: list[str] = []

    def wait(self, event: str, /) -> None:
        self.asked.append(event)
        if event in self.failed:
            raise DeviceError(f"{event} failed")
        self.over.add(event)

    def is_done(self, event: str, /) -> bool:
        return event in self.over | self.failed


class _Memory:
    address = 0
    argument = None


def _started(pending: Pending, queue: _Queue, *names: str, kept: object = None) -> Event:
    event = pending.new_event(cast(BackendQueue, queue), kept)
    event.natives = names
    return event


def _collected(thing: "weakref.ref[_Memory]") -> bool:
    gc.collect()
    return thing() is None


def test_failures_surface_where_they_are_waited_for() -> None:
    queue, pending = _Queue(), Pending()
    queue.failed = {"a"}
    event = _started(pending, queue, "a", "b")
    assert not event.done
    with pytest.raises(DeviceError, match="a failed"):
        event.wait()
    assert queue.asked == ["a", "b"]
    assert event.done
    assert repr(event) == "<Event failed>"
    with pytest.raises(DeviceError):
        event.wait()
    pending.wait()


def test_a_queue_tells_of_failures_once() -> None:
    queue, pending = _Queue(), Pending()
    queue.failed = {"a", "b"}
    for name in "abc":
        _started(pending, queue, name)
    with pytest.raises(DeviceError, match="a failed"):
        pending.wait()
    pending.wait()


def test_a_failure_is_not_lost_when_later_work_starts() -> None:
    queue, pending = _Queue(), Pending()
    _started(pending, queue, "a")
    queue.failed = {"a"}
    _started(pending, queue, "b")
    with pytest.raises(DeviceError, match="a failed"):
        pending.wait()


def test_finished_work_is_let_go_when_later_work_starts() -> None:
    queue, pending, memory = _Queue(), Pending(), _Memory()
    gone = weakref.ref(memory)
    _started(pending, queue, "a", kept=memory)
    del memory
    _started(pending, queue, "b")
    assert not _collected(gone)
    queue.over = {"a"}
    _started(pending, queue, "c")
    assert _collected(gone)


def test_many_waited_for_events_do_not_pile_up() -> None:
    queue, pending = _Queue(), Pending()
    events: list[weakref.ref[Event]] = []
    for _ in range(100):
        event = _started(pending, queue, "a")
        event.wait()
        events.append(weakref.ref(event))
        del event
    gc.collect()
    assert sum(reference() is not None for reference in events) < 20


def test_dropped_memory_is_held_by_the_youngest_work_of_each_queue() -> None:
    work, queue = WorkUnderWay(), _Queue()
    first, second = work.new_pending(), work.new_pending()
    _started(first, queue, "a")
    _started(first, queue, "b")
    _started(second, queue, "c")
    memory = _Memory()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    first.wait()
    assert not _collected(gone)
    second.wait()
    assert _collected(gone)


def test_memory_is_held_while_work_is_being_started() -> None:
    work, queue = WorkUnderWay(), _Queue()
    pending = work.new_pending()
    _started(pending, queue, "a")
    starting = pending.new_event(cast(BackendQueue, queue), None)
    memory = _Memory()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    starting.abandon()
    assert not _collected(gone)
    pending.wait()
    assert _collected(gone)


def test_memory_is_not_held_without_work() -> None:
    work, queue = WorkUnderWay(), _Queue()
    pending, memory = work.new_pending(), _Memory()
    event = _started(pending, queue, "a")
    event.wait()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    assert _collected(gone)


def test_queues_that_are_gone_are_forgotten() -> None:
    work = WorkUnderWay()
    for _ in range(3):
        work.new_pending()
    gc.collect()
    memory = _Memory()
    held = weakref.ref(memory)
    work.hold(memory)
    del memory
    gc.collect()
    assert held() is None
