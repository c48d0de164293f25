"""The order of work that shares buffers and events, on queues that do as they are told."""

import threading
import weakref
from collections.abc import Callable
from ctypes import addressof, c_int32, string_at
from typing import cast

import pytest
from mock_device import (
    Memory,
    MockCommand,
    MockMachine,
    mock_device,
)
from patience import PATIENCE, eventually

from dovetail.errors import DeviceError, DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendDevice, DeviceOutOfMemory, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.host.buffer import Buffer
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.host_work import HostWork
from dovetail.runtime.host.queue import HostQueue, QueueWork
from dovetail.runtime.host.scheduler import Scheduler, WorkNeeds
from dovetail.runtime.host.structures import Access, BufferSource, QueueFlag

READ, WRITE = Access.READ, Access.READ | Access.WRITE
DISCARD = Access.WRITE | Access.NO_INIT
NOTHING = WorkNeeds({}, ())


def _buffer(value: int) -> Buffer:
    initial = c_int32(value)
    return Buffer(4, addressof(initial), BufferSource.COPIED)


def _needs(buffer: Buffer, access: Access, *events: QueueWork) -> WorkNeeds:
    return WorkNeeds({1: (buffer, access)}, events)


def _content(scheduler: Scheduler, buffer: Buffer) -> int:
    result = c_int32()
    scheduler.read(buffer, addressof(result))
    return result.value


class _Task:
    """What the host does: it waits until it may go on, then writes into its buffers."""

    def __init__(self, value: int | None = None, *, goes_on: bool = True) -> None:
        self.value = value
        self.seen: list[int] = []
        self.begun, self.may_end = threading.Event(), threading.Event()
        if goes_on:
            self.may_end.set()

    def release(self) -> None:
        pass

    def run(self, addresses: list[int]) -> DovetailError | None:
        self.begun.set()
        assert self.may_end.wait(PATIENCE)
        for content in map(c_int32.from_address, addresses):
            self.seen.append(content.value)
            if self.value is not None:
                content.value = self.value
        return None


class _Function:
    """A task that is a function."""

    def __init__(self, run: Callable[[list[int]], DovetailError | None]) -> None:
        self.run = run

    def release(self) -> None:
        pass


def test_a_queue_is_in_order_by_itself() -> None:
    _, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("a", 6))
    second = MockCommand("b")
    scheduler.submit(queue, _needs(buffer, READ), second).wait()
    assert (second.after, second.seen) == ([], [6])


def test_the_driver_orders_queues_of_one_device() -> None:
    machine, device = mock_device()
    scheduler, buffer = Scheduler(), _buffer(5)
    one, other, third = (HostQueue(device, 0) for _ in range(3))
    scheduler.submit(one, _needs(buffer, WRITE), MockCommand("write", 6))
    readers = [MockCommand("read"), MockCommand("again")]
    for queue, reader in zip((other, third), readers, strict=True):
        scheduler.submit(queue, _needs(buffer, READ), reader)
        assert reader.after == ["write"]
    writer = MockCommand("overwrite", 7)
    scheduler.submit(one, _needs(buffer, DISCARD), writer)
    assert writer.after == ["read", "again"]
    event = scheduler.submit(other, NOTHING, MockCommand("event"))
    last = MockCommand("last")
    scheduler.submit(one, WorkNeeds({}, (event,)), last)
    assert last.after == ["event"]
    assert not machine.done
    assert machine.opened_queues == 3


def test_content_moves_behind_work_elsewhere() -> None:
    here, first = mock_device()
    there, second = mock_device()
    scheduler, buffer = Scheduler(), _buffer(5)
    here.paused, there.paused = {"write"}, {"read"}
    scheduler.submit(HostQueue(first, 0), _needs(buffer, WRITE), MockCommand("write", 6))
    reader, writer = MockCommand("read"), MockCommand("overwrite", 7)
    scheduler.submit(HostQueue(second, 0), _needs(buffer, READ), reader)
    scheduler.submit(HostQueue(first, 0), _needs(buffer, WRITE), writer)
    # Nobody has waited for anything.
    assert (reader.after, here.done, there.done) == (["gate"], [], [])
    here.go_on("write")
    assert not writer.seen
    there.go_on("read")
    assert _content(scheduler, buffer) == 7
    assert (reader.seen, writer.seen) == ([6], [6])
    assert here.allocated == there.allocated == [(MemoryKind.SHARED, 4)]


def test_readers_of_one_device_share_what_was_moved() -> None:
    here, first = mock_device()
    there, second = mock_device()
    scheduler, buffer = Scheduler(), _buffer(5)
    here.paused = {"write"}
    scheduler.submit(HostQueue(first, 0), _needs(buffer, WRITE), MockCommand("write", 6))
    readers = [MockCommand(name) for name in ("one", "other")]
    works = [scheduler.submit(HostQueue(second, 0), _needs(buffer, READ), each) for each in readers]
    here.go_on("write")
    for work in works:
        work.wait()
    assert [reader.seen for reader in readers] == [[6], [6]]
    assert len(there.allocated) == 1


def test_events_of_other_devices() -> None:
    here, first = mock_device()
    _, second = mock_device()
    scheduler, command = Scheduler(), MockCommand("second")
    here.paused = {"first"}
    event = scheduler.submit(HostQueue(first, 0), NOTHING, MockCommand("first"))
    work = scheduler.submit(HostQueue(second, 0), WorkNeeds({}, (event,)), command)
    assert (command.after, work.done) == (["gate"], False)
    here.go_on("first")
    work.wait()
    assert here.done == ["first"]


def test_no_lock_is_held_while_someone_waits() -> None:
    machine, device = mock_device()
    scheduler, shared, other = Scheduler(), _buffer(5), _buffer(8)
    machine.paused = {"write"}
    scheduler.submit(HostQueue(device, 0), _needs(shared, WRITE), MockCommand("write", 6))
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(_content(scheduler, shared)))
    thread.start()
    quick = MockCommand("quick")
    scheduler.submit(HostQueue(device, 0), _needs(other, WRITE), quick).wait()
    assert (quick.seen, found) == ([8], [])
    machine.go_on("write")
    thread.join(PATIENCE)
    assert found == [6]


def test_content_that_is_not_needed_is_not_copied() -> None:
    _, first = mock_device()
    _, second = mock_device()
    scheduler, buffer = Scheduler(), _buffer(5)
    one, other = HostQueue(first, 0), HostQueue(second, 0)
    scheduler.submit(one, _needs(buffer, DISCARD), discard := MockCommand("discard")).wait()
    assert discard.seen == [0]
    scheduler.submit(one, _needs(buffer, WRITE), MockCommand("write", 6))
    scheduler.submit(other, _needs(buffer, DISCARD), discard := MockCommand("discard")).wait()
    assert discard.seen == [0]
    scheduler.submit_host(one, _needs(buffer, DISCARD), task := _Task(3)).wait()
    assert (task.seen, _content(scheduler, buffer)) == ([0], 3)


def test_what_cannot_be_started_leaves_a_buffer_as_it_was() -> None:
    _, device = mock_device()
    scheduler, buffer, large = Scheduler(), _buffer(5), Buffer(1001, 0)
    queue, both = HostQueue(device, 0), {1: (buffer, WRITE), 2: (large, WRITE)}
    with pytest.raises(DeviceOutOfMemory):
        scheduler.submit(queue, WorkNeeds(both, ()), MockCommand("a", 6))
    assert queue.pending.is_idle
    scheduler.submit(queue, _needs(buffer, READ), reader := MockCommand("read")).wait()
    assert reader.seen == [5]


def test_who_finds_no_memory_does_not_wait_for_itself() -> None:
    machine, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    scheduler.host_access(buffer, WRITE)
    scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("behind"))
    scheduler.submit(queue, NOTHING, MockCommand("other"))
    large = Buffer(1001, 0)
    with pytest.raises(DeviceOutOfMemory):
        scheduler.submit(queue, _needs(large, WRITE), MockCommand("large"))
    assert machine.done == ["other"]
    scheduler.end_host_access(buffer, WRITE)


def test_devices_without_shared_memory_use_the_hosts() -> None:
    machine = MockMachine()
    queue = HostQueue(Device(cast(BackendDevice, machine)), 0)
    Scheduler().submit(queue, _needs(_buffer(5), READ), MockCommand("read"))
    assert machine.allocated == [(MemoryKind.HOST, 4)]


def test_times_need_a_device_that_measures() -> None:
    _, device = mock_device()
    with pytest.raises(HostError, match="does not support queue profiling") as raised:
        HostQueue(device, QueueFlag.PROFILING)
    assert raised.value.errc is Errc.FEATURE_NOT_SUPPORTED


# What the host does


def test_a_host_task_is_between_what_comes_before_and_after() -> None:
    machine, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    machine.paused = {"before"}
    scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("before", 6))
    task = _Task(7, goes_on=False)
    work = scheduler.submit_host(queue, _needs(buffer, WRITE), task)
    after = MockCommand("after", 8)
    last = scheduler.submit(queue, _needs(buffer, WRITE), after)
    assert not task.begun.is_set()
    machine.go_on("before")
    assert task.begun.wait(PATIENCE)
    assert not work.done
    assert not after.seen
    task.may_end.set()
    last.wait()
    assert (task.seen, after.seen, work.done) == ([6], [7], True)
    queue.pending.settle()
    assert _content(scheduler, buffer) == 8
    queue.forget_finished()
    assert not queue.held


def test_a_queue_without_order_goes_on_beside_a_host_task() -> None:
    _, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    task = _Task(7, goes_on=False)
    host = scheduler.submit_host(queue, _needs(buffer, WRITE), task)
    behind = MockCommand("behind")
    held = [scheduler.submit(queue, _needs(buffer, READ), behind)]
    held.append(scheduler.submit(queue, WorkNeeds({}, (held[0],)), MockCommand("behind that")))
    # Neither the task nor what waits for it keeps others from being done.
    free = scheduler.submit(queue, NOTHING, MockCommand("free"))
    free.wait()
    assert not any(work.done for work in (host, *held))
    task.may_end.set()
    queue.pending.settle()
    assert behind.seen == [7]


def test_side_queues_are_used_again() -> None:
    machine, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    for _ in range(5):
        task = _Task(goes_on=False)
        scheduler.submit_host(queue, _needs(buffer, WRITE), task)
        work = scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("behind"))
        task.may_end.set()
        work.wait()
    assert machine.opened_queues == 2


def test_an_in_order_queue_waits_for_its_host_tasks() -> None:
    machine, device = mock_device()
    scheduler, queue = Scheduler(), HostQueue(device, QueueFlag.IN_ORDER)
    machine.paused = {"first"}
    scheduler.submit(queue, NOTHING, MockCommand("first"))
    tasks = [_Task(goes_on=False), _Task()]
    for task in tasks:
        scheduler.submit_host(queue, NOTHING, task)
    last = scheduler.submit(queue, NOTHING, MockCommand("last"))
    assert not tasks[0].begun.is_set()
    machine.go_on("first")
    assert tasks[0].begun.wait(PATIENCE)
    assert not tasks[1].begun.is_set()
    assert "last" not in machine.done
    tasks[0].may_end.set()
    last.wait()
    assert tasks[1].begun.is_set()
    assert machine.opened_queues == 1


def test_a_barrier_waits_for_the_host_and_the_host_for_a_barrier() -> None:
    machine, device = mock_device()
    scheduler, queue = Scheduler(), HostQueue(device, 0)
    first, second = _Task(goes_on=False), _Task()
    scheduler.submit_host(queue, NOTHING, first)
    barrier = scheduler.submit_barrier(queue, ())
    scheduler.submit_host(queue, NOTHING, second)
    behind = scheduler.submit(queue, NOTHING, MockCommand("behind"))
    assert first.begun.wait(PATIENCE)
    assert not any((barrier.done, behind.done, second.begun.is_set()))
    first.may_end.set()
    behind.wait()
    queue.pending.settle()
    assert second.begun.is_set()
    assert machine.done == ["marker", "behind"]


def test_a_chain_of_host_tasks_takes_few_threads() -> None:
    _, device = mock_device()
    for flags in (0, QueueFlag.IN_ORDER):
        scheduler, queue, buffer = Scheduler(), HostQueue(device, flags), _buffer(0)
        first = _Task(goes_on=False)
        scheduler.submit_host(queue, _needs(buffer, WRITE), first)
        before = threading.active_count()
        tasks = [_Task(number) for number in range(1, 200)]
        for task in tasks:
            scheduler.submit_host(queue, _needs(buffer, WRITE), task)
        assert threading.active_count() < before + 10
        first.may_end.set()
        queue.pending.settle()
        assert [task.seen for task in tasks] == [[number] for number in range(199)]


def test_a_host_task_does_not_wait_for_itself() -> None:
    _, device = mock_device()
    scheduler, queue = Scheduler(), HostQueue(device, 0)

    def wait_for_the_queue(_: list[int]) -> None:
        scheduler.submit(queue, NOTHING, MockCommand("from within"))
        queue.pending.settle()

    work = scheduler.submit_host(queue, NOTHING, _Function(wait_for_the_queue))
    work.settle()
    assert work.failure is None


def test_a_host_task_can_use_what_it_uses_in_other_ways() -> None:
    _, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    found = list[int]()
    needs = _needs(buffer, WRITE)
    scheduler.submit_host(
        queue, needs, _Function(lambda _: found.append(_content(scheduler, buffer)))
    )
    queue.pending.settle()
    assert found == [5]


def test_a_host_task_is_let_go_of_when_nobody_waits_for_it() -> None:
    _, device = mock_device()
    scheduler, queue = Scheduler(), HostQueue(device, 0)
    release = threading.Event()

    class WaitsAtItsEnd(_Task):
        def release(self) -> None:
            behind.wait()
            release.set()

    task = WaitsAtItsEnd(goes_on=False)
    work = scheduler.submit_host(queue, NOTHING, task)
    behind = scheduler.submit(queue, WorkNeeds({}, (work,)), MockCommand("behind"))
    task.may_end.set()
    assert release.wait(PATIENCE)


def test_freed_memory_outlives_host_tasks() -> None:
    _, device = mock_device()
    scheduler, queue = Scheduler(), HostQueue(device, 0)
    slow, quick = _Task(goes_on=False), _Task()
    works = [scheduler.submit_host(queue, NOTHING, task) for task in (slow, quick)]
    works[1].wait()
    memory = Memory(1)
    device.work.hold(cast(BackendAllocation, memory))
    freed = weakref.ref(memory)
    del memory
    assert freed() is not None
    slow.may_end.set()
    works[0].wait()
    # A thread of the runtime's may be at it for a moment.
    assert eventually(lambda: freed() is None)


# Host accessors


def test_work_that_conflicts_waits_for_the_end_of_a_host_access() -> None:
    machine, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    address = scheduler.host_access(buffer, READ)
    scheduler.submit(queue, _needs(buffer, READ), reader := MockCommand("read")).wait()
    assert reader.seen == [5]
    writer = scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("write", 6))
    free = scheduler.submit(queue, NOTHING, MockCommand("free"))
    free.wait()
    assert not writer.done
    assert string_at(address, 4) == b"\5\0\0\0"
    scheduler.end_host_access(buffer, READ)
    writer.wait()
    assert machine.done == ["read", "free", "write"]


def test_what_the_host_has_written_goes_on_to_devices() -> None:
    _, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, QueueFlag.IN_ORDER), _buffer(5)
    address = scheduler.host_access(buffer, WRITE)
    reader = MockCommand("read")
    work = scheduler.submit(queue, _needs(buffer, READ), reader)
    task = _Task()
    scheduler.submit_host(queue, _needs(buffer, READ), task)
    c_int32.from_address(address).value = 9
    scheduler.end_host_access(buffer, WRITE)
    work.wait()
    queue.pending.settle()
    assert (reader.seen, task.seen) == ([9], [9])


def test_several_host_accesses_at_once() -> None:
    _, device = mock_device()
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)
    for _ in range(2):
        scheduler.host_access(buffer, READ)
    work = scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("write"))
    scheduler.end_host_access(buffer, READ)
    assert not work.done
    scheduler.end_host_access(buffer, READ)
    work.wait()
    # One too many is nothing.
    scheduler.end_host_access(buffer, READ)


def test_what_is_held_goes_on_when_the_process_ends() -> None:
    machine, device = mock_device()
    functions, scheduler = Functions([device]), Scheduler()
    functions._scheduler = scheduler  # pyright: ignore[reportPrivateUsage]
    buffer = _buffer(5)
    scheduler.host_access(buffer, WRITE)
    queue = HostQueue(device, 0)
    scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("behind"))
    functions.wait_for_everything()
    assert machine.done == ["behind"]


def test_host_accessors_show_the_content_in_the_users_memory() -> None:
    _, device = mock_device()
    users = c_int32(5)
    scheduler, queue = Scheduler(), HostQueue(device, 0)
    buffer = Buffer(4, addressof(users))
    buffer.home = addressof(users)
    for value, access in ((6, READ), (7, WRITE), (8, DISCARD)):
        before = users.value
        scheduler.submit_host(queue, _needs(buffer, WRITE), _Task(value))
        assert _content(scheduler, buffer) == value
        assert users.value == before, "only host accessors write there"
        assert scheduler.host_access(buffer, access) == addressof(users)
        assert users.value == (before if access is DISCARD else value)
        if access is not READ:
            users.value = 10 * value
        scheduler.end_host_access(buffer, access)
        assert _content(scheduler, buffer) == users.value


def test_constant_memory_is_only_read() -> None:
    _, device = mock_device()
    initial = c_int32(5)
    scheduler, queue = Scheduler(), HostQueue(device, 0)
    buffer = Buffer(4, addressof(initial))
    assert scheduler.host_access(buffer, READ) == addressof(initial)
    scheduler.end_host_access(buffer, READ)
    task = _Task(6)
    scheduler.submit_host(queue, _needs(buffer, WRITE), task)
    assert _content(scheduler, buffer) == 6
    assert (task.seen, initial.value) == ([5], 5)


# Failures


def test_failures_are_kept_until_someone_asks() -> None:
    machine, device = mock_device()
    machine.failing = {"bad", "worse"}
    queue, buffer, scheduler = HostQueue(device, 0), _buffer(5), Scheduler()
    works = [
        scheduler.submit(queue, _needs(buffer, WRITE), MockCommand(name))
        for name in ("good", "bad", "worse")
    ]
    # Others that wait are not told, and do not keep it from those who are to be.
    _content(scheduler, buffer)
    scheduler.wait_for_users(buffer)
    queue.pending.settle()
    for work in works:
        work.wait()
    assert str(queue.pending.next_failure()) == "bad failed"
    assert str(queue.pending.next_failure()) == "worse failed"
    assert queue.pending.next_failure() is None


def test_failures_of_host_tasks_are_kept_with_the_others() -> None:
    machine, device = mock_device()
    machine.failing = {"bad"}
    scheduler, queue, buffer = Scheduler(), HostQueue(device, 0), _buffer(5)

    def fail(_: list[int]) -> DeviceError:
        return DeviceError("the task failed")

    def break_down(_: list[int]) -> DovetailError:
        raise ZeroDivisionError

    works: list[QueueWork] = [scheduler.submit(queue, _needs(buffer, WRITE), MockCommand("bad"))]
    works += [
        scheduler.submit_host(queue, _needs(buffer, WRITE), _Function(task))
        for task in (fail, break_down)
    ]
    # What comes behind a failure is done all the same.
    scheduler.submit(queue, _needs(buffer, WRITE), after := MockCommand("after")).wait()
    assert after.seen == [5]
    assert isinstance(works[1], HostWork)
    texts = [str(failure) for failure in iter(queue.pending.next_failure, None)]
    assert texts[:2] == ["bad failed", "the task failed"]
    assert "ZeroDivisionError" in texts[2]


def test_a_failure_reaches_c() -> None:
    machine, device = mock_device()
    machine.failing = {"bad"}
    functions, queue, code = Functions([device]), HostQueue(device, 0), c_int32(-1)
    number = functions._handles.add(queue)  # pyright: ignore[reportPrivateUsage]
    Scheduler().submit(queue, NOTHING, MockCommand("bad"))
    functions.queue_wait(number)
    functions.queue_next_failure(number, addressof(code))
    assert (code.value, functions.messages.last) == (Errc.RUNTIME, "bad failed")
    functions.queue_next_failure(number, addressof(code))
    assert code.value == 0


def test_a_released_queue_lives_as_long_as_its_work() -> None:
    machine, device = mock_device()
    functions, queue = Functions([device]), HostQueue(device, 0)
    number = functions._handles.add(queue)  # pyright: ignore[reportPrivateUsage]
    Scheduler().submit(queue, NOTHING, MockCommand("a"))
    functions.queue_release(number)
    del queue
    functions.wait_for_everything()
    assert machine.done == ["a"]
