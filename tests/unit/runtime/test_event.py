"""Events and what they keep, with a queue that does as it is told."""

import gc
import weakref
from typing import cast

import pytest

from dovetail.errors import DeviceError
from dovetail.runtime.backend import BackendQueue
from dovetail.runtime.event import DeviceWork, Event, Pending


class _Queue:
    """Events are names; those in `over` are done, those in `failed` too."""

    def __init__(self) -> None:
        self.over: set[str] = set()
        self.failed: set[str] = set()
        self.asked: list[str] = []
        self.looked_at: list[str] = []
        self.interrupts = 0
        self.blocked: list[bool] = []

    def wait(self, event: str, may_block: bool = False, /) -> None:
        self.blocked.append(may_block)
        self.asked.append(event)
        if event in self.failed:
            raise DeviceError(f"{event} failed")
        self.over.add(event)

    def marker(self) -> str:
        return "marker"

    def is_done(self, event: str, /) -> bool:
        if self.interrupts:
            self.interrupts -= 1
            raise KeyboardInterrupt
        self.looked_at.append(event)
        return event in self.over | self.failed


class _Memory:
    address = 0
    argument = None


def _pending(queue: _Queue, work: DeviceWork | None = None) -> Pending:
    return (work or DeviceWork()).new_pending(cast(BackendQueue, queue))


def _started(pending: Pending, *names: str, kept: object = None) -> Event:
    event = Event()
    pending.add(event, kept)
    event.natives = names
    return event


def _collected(thing: "weakref.ref[_Memory]") -> bool:
    gc.collect()
    return thing() is None


def test_failures_surface_where_they_are_waited_for() -> None:
    queue = _Queue()
    pending = _pending(queue)
    queue.failed = {"a"}
    event = _started(pending, "a", "b")
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
    queue = _Queue()
    pending = _pending(queue)
    queue.failed = {"a", "b"}
    for name in "abc":
        _started(pending, name)
    with pytest.raises(DeviceError, match="a failed"):
        pending.wait()
    pending.wait()


def test_a_failure_is_not_lost_when_later_work_starts() -> None:
    queue = _Queue()
    pending = _pending(queue)
    _started(pending, "a")
    queue.failed = {"a"}
    _started(pending, "b")
    with pytest.raises(DeviceError, match="a failed"):
        pending.wait()


def test_finished_work_is_let_go_when_later_work_starts() -> None:
    queue, memory = _Queue(), _Memory()
    pending = _pending(queue)
    gone = weakref.ref(memory)
    _started(pending, "a", kept=memory)
    del memory
    _started(pending, "b")
    assert not _collected(gone)
    queue.over = {"a"}
    _started(pending, "c")
    assert _collected(gone)


def test_many_waited_for_events_do_not_pile_up() -> None:
    queue = _Queue()
    pending = _pending(queue)
    events: list[weakref.ref[Event]] = []
    for _ in range(100):
        event = _started(pending, "a")
        event.wait()
        events.append(weakref.ref(event))
        del event
    gc.collect()
    assert not any(reference() for reference in events)


def test_failures_that_were_told_do_not_pile_up() -> None:
    queue = _Queue()
    pending = _pending(queue)
    queue.failed = {"a"}
    event = _started(pending, "a")
    gone = weakref.ref(event)
    with pytest.raises(DeviceError):
        event.wait()
    del event
    gc.collect()
    assert gone() is None


def test_many_events_under_way_are_not_looked_at_with_each_new_one() -> None:
    queue = _Queue()
    pending = _pending(queue)
    for number in range(2000):
        _started(pending, str(number))
    assert len(queue.looked_at) < 2000
    queue.over = set(map(str, range(2000)))
    for number in range(1000):
        _started(pending, f"late {number}")
    assert len(pending.events) < 2000


def test_dropped_memory_is_held_by_the_youngest_work_of_each_queue() -> None:
    work, queue = DeviceWork(), _Queue()
    first, second = _pending(queue, work), _pending(queue, work)
    _started(first, "a")
    _started(first, "b")
    _started(second, "c")
    memory = _Memory()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    first.wait()
    assert not _collected(gone)
    second.wait()
    assert _collected(gone)


def test_memory_is_held_while_work_is_being_started() -> None:
    work, queue = DeviceWork(), _Queue()
    pending = _pending(queue, work)
    _started(pending, "a")
    starting = Event()
    pending.add(starting, None)
    memory = _Memory()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    starting.abandon()
    assert not _collected(gone)
    pending.wait()
    assert _collected(gone)


def test_memory_is_not_held_without_work() -> None:
    work, queue = DeviceWork(), _Queue()
    pending, memory = _pending(queue, work), _Memory()
    event = _started(pending, "a")
    event.wait()
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    assert _collected(gone)


def test_queues_that_are_gone_are_forgotten() -> None:
    work = DeviceWork()
    for _ in range(3):
        work.close(_pending(_Queue(), work))
    memory = _Memory()
    held = weakref.ref(memory)
    work.hold(memory)
    del memory
    gc.collect()
    assert held() is None


def test_memory_is_not_held_by_work_that_is_over_and_that_nobody_asked_about() -> None:
    work, queue = DeviceWork(), _Queue()
    pending, memory = _pending(queue, work), _Memory()
    _started(pending, "a")
    queue.over = {"a"}
    gone = weakref.ref(memory)
    work.hold(memory)
    del memory
    assert _collected(gone)


def test_work_that_nobody_has_any_more_is_watched_until_it_is_over() -> None:
    work, queue, kept = DeviceWork(), _Queue(), _Memory()
    gone = weakref.ref(kept)
    pending = _pending(queue, work)
    _started(pending, "a", kept=kept)
    work.close(pending)
    del kept, pending
    assert not _collected(gone)
    assert not work.is_idle
    memory = _Memory()
    held = weakref.ref(memory)
    work.hold(memory)
    del memory
    assert not _collected(held)
    queue.over = {"a"}
    assert work.is_idle
    _pending(queue, work)
    assert _collected(gone)
    assert _collected(held)


def test_failures_of_work_that_nobody_has_any_more_are_told() -> None:
    work, queue = DeviceWork(), _Queue()
    pending = _pending(queue, work)
    _started(pending, "a")
    work.close(pending)
    queue.failed = {"a"}
    with pytest.warns(RuntimeWarning, match="queue failed: a failed"):
        work.settle()


def test_an_interrupt_while_memory_is_dropped_does_not_free_it() -> None:
    work, queue = DeviceWork(), _Queue()
    pending, memory = _pending(queue, work), _Memory()
    _started(pending, "a")
    gone = weakref.ref(memory)
    queue.interrupts = 1
    with pytest.raises(KeyboardInterrupt):
        work.hold(memory)
    del memory
    assert not _collected(gone)
    work.hold(_Memory())
    pending.wait()
    assert _collected(gone)


def test_an_interrupt_while_work_is_started_keeps_what_it_may_use() -> None:
    queue, memory = _Queue(), _Memory()
    pending, gone = _pending(queue), weakref.ref(memory)
    event = Event()
    pending.add(event, memory)
    del memory
    pending.start_failed(event, KeyboardInterrupt())
    assert not _collected(gone)
    assert not event.done
    pending.wait()
    assert queue.asked == ["marker"]
    assert _collected(gone)


def test_a_list_says_whether_those_that_wait_may_block() -> None:
    queue, work = _Queue(), DeviceWork()
    for may_block in (False, True):
        pending = work.new_pending(cast(BackendQueue, queue), may_block=may_block)
        _started(pending, "a").wait()
    assert queue.blocked == [False, True]


def test_work_that_was_never_added_can_be_given_up() -> None:
    _pending(_Queue()).start_failed(Event(), DeviceError("never added"))
