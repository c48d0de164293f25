"""The order of work that shares buffers and events, on queues that do as they are told."""

import threading
from collections.abc import Mapping, Sequence
from ctypes import addressof, c_int32, string_at
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendQueue,
    DeviceDescription,
    DeviceKind,
    Limits,
    MemoryKind,
    OutOfMemory,
)
from dovetail.runtime.device import Device
from dovetail.runtime.host.buffer import Buffer
from dovetail.runtime.host.errc import Errc, HostError
from dovetail.runtime.host.functions import Functions
from dovetail.runtime.host.order import Needs, Order
from dovetail.runtime.host.queue import Queue, Work
from dovetail.runtime.host.structures import Access, QueueFlag

READ, WRITE = Access.READ, Access.READ | Access.WRITE
DISCARD = Access.WRITE | Access.NO_INIT


class _Machine:
    """Device and queues: work is a name, done once someone waits for it."""

    def __init__(self, *aspects: str) -> None:
        limits = Limits(64, (64, 64, 64), 1, 1, 1)
        self.description = DeviceDescription(
            backend="fake",
            platform="none",
            name="machine",
            kind=DeviceKind.CPU,
            driver_version="1",
            limits=limits,
            sub_group_sizes=(),
            spirv_versions=(),
            extensions=frozenset(),
            aspects=frozenset(aspects),
        )
        self.over: set[str] = set()
        self.failing: set[str] = set()
        self.allocated: list[tuple[MemoryKind, int]] = []
        self.waiting = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def open_queue(self, *, profiling: bool = False) -> "_Machine":
        assert not profiling
        return self

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        if size > 1000:
            raise OutOfMemory("too much")
        self.allocated.append((kind, size))
        memory = (c_int32 * size)()
        return cast(BackendAllocation, SimpleNamespace(address=addressof(memory), memory=memory))

    def wait(self, event: str, is_quick: bool = False, /) -> None:
        self.waiting.set()
        assert self.may_go_on.wait(10)
        self.over.add(event)
        if event in self.failing:
            raise DeviceError(f"{event} failed")

    def is_done(self, event: str, /) -> bool:
        return event in self.over

    def flush(self) -> None:
        pass


class _Command:
    """Writes its number into all its buffers, and remembers what it was started with."""

    def __init__(self, name: str, value: int | None = None) -> None:
        self.name, self.value = name, value
        self.after: list[Any] = []
        self.seen: list[int] = []

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[Any],
    ) -> tuple[Any, ...]:
        self.after = list(after)
        for allocation in memory.values():
            content = c_int32.from_address(allocation.address)
            self.seen.append(content.value)
            if self.value is not None:
                content.value = self.value
        return (self.name,)


def _device(*aspects: str) -> tuple[_Machine, Device]:
    machine = _Machine("usm_shared_allocations", *aspects)
    return machine, Device(cast(BackendDevice, machine))


def _buffer(value: int) -> Buffer:
    initial = c_int32(value)
    return Buffer(4, addressof(initial), copy_now=True)


def _needs(buffer: Buffer, access: Access, *events: Work) -> Needs:
    return Needs({1: (buffer, access)}, events)


NOTHING = Needs({}, ())


def test_a_queue_is_in_order_by_itself() -> None:
    _, device = _device()
    order, queue, buffer = Order(), Queue(device, 0), _buffer(5)
    order.submit(queue, _needs(buffer, WRITE), _Command("a", 6))
    second = _Command("b")
    order.submit(queue, _needs(buffer, READ), second)
    assert (second.after, second.seen) == ([], [6])


def test_the_driver_orders_queues_of_one_device() -> None:
    machine, device = _device()
    order, buffer = Order(), _buffer(5)
    one, other, third = (Queue(device, 0) for _ in range(3))
    order.submit(one, _needs(buffer, WRITE), _Command("write", 6))
    readers = [_Command("read"), _Command("again")]
    for queue, reader in zip((other, third), readers, strict=True):
        order.submit(queue, _needs(buffer, READ), reader)
        assert reader.after == ["write"]
    writer = _Command("overwrite", 7)
    order.submit(one, _needs(buffer, DISCARD), writer)
    assert writer.after == ["read", "again"]
    event = order.submit(other, NOTHING, _Command("event"))
    last = _Command("last")
    order.submit(one, Needs({}, (event,)), last)
    assert last.after == ["event"]
    assert not machine.over


def test_work_elsewhere_is_waited_for_and_content_moves() -> None:
    here, first = _device()
    there, second = _device()
    order, buffer = Order(), _buffer(5)
    order.submit(Queue(first, 0), _needs(buffer, WRITE), _Command("write", 6))
    reader = _Command("read")
    order.submit(Queue(second, 0), _needs(buffer, READ), reader)
    assert (here.over, reader.after, reader.seen) == ({"write"}, [], [6])
    writer = _Command("overwrite", 7)
    order.submit(Queue(first, 0), _needs(buffer, WRITE), writer)
    assert (there.over, writer.seen) == ({"read"}, [6])
    assert order.host_access(buffer, READ) != 0
    assert string_at(order.host_access(buffer, READ), 4) == b"\7\0\0\0"
    assert here.allocated == there.allocated == [(MemoryKind.SHARED, 4)]


def test_no_lock_is_held_while_a_device_works() -> None:
    here, first = _device()
    _, second = _device()
    order, shared, other = Order(), _buffer(5), _buffer(8)
    order.submit(Queue(first, 0), _needs(shared, WRITE), _Command("write", 6))
    here.may_go_on.clear()
    late = _Command("late")
    thread = threading.Thread(
        target=order.submit, args=(Queue(second, 0), _needs(shared, READ), late)
    )
    thread.start()
    assert here.waiting.wait(10)
    quick = _Command("quick")
    order.submit(Queue(second, 0), _needs(other, WRITE), quick)
    assert (quick.seen, late.seen) == ([8], [])
    here.may_go_on.set()
    thread.join(10)
    assert late.seen == [6]


def test_content_that_is_not_needed_is_not_copied() -> None:
    _, first = _device()
    _, second = _device()
    order, buffer = Order(), _buffer(5)
    order.submit(Queue(first, 0), _needs(buffer, DISCARD), discard := _Command("discard"))
    assert discard.seen == [0]
    order.submit(Queue(first, 0), _needs(buffer, WRITE), _Command("write", 6))
    order.submit(Queue(second, 0), _needs(buffer, DISCARD), discard := _Command("discard"))
    assert discard.seen == [0]


def test_what_cannot_be_started_leaves_a_buffer_as_it_was() -> None:
    _, device = _device()
    order, buffer, large = Order(), _buffer(5), Buffer(1001, 0, copy_now=False)
    queue = Queue(device, 0)
    with pytest.raises(OutOfMemory):
        order.submit(queue, Needs({1: (buffer, WRITE), 2: (large, WRITE)}, ()), _Command("a", 6))
    order.submit(queue, _needs(buffer, READ), reader := _Command("read"))
    assert reader.seen == [5]
    assert queue.pending.is_idle is False


def test_devices_without_shared_memory_use_the_hosts() -> None:
    machine = _Machine()
    queue = Queue(Device(cast(BackendDevice, machine)), 0)
    Order().submit(queue, _needs(_buffer(5), READ), _Command("read"))
    assert machine.allocated == [(MemoryKind.HOST, 4)]


def test_times_need_a_device_that_measures() -> None:
    _, device = _device()
    with pytest.raises(HostError, match="cannot measure") as raised:
        Queue(device, QueueFlag.PROFILING)
    assert raised.value.errc is Errc.FEATURE_NOT_SUPPORTED


def test_failures_are_kept_until_someone_asks() -> None:
    machine, device = _device()
    machine.failing = {"bad", "worse"}
    queue, buffer, order = Queue(device, 0), _buffer(5), Order()
    works = [
        order.submit(queue, _needs(buffer, WRITE), _Command(name))
        for name in ("good", "bad", "worse")
    ]
    # Others that wait are not told, and do not keep it from those who are to be.
    order.host_access(buffer, READ)
    order.wait_for_users(buffer)
    queue.pending.settle()
    with pytest.raises(DeviceError, match="worse failed"):
        works[2].wait()
    works[0].wait()
    assert str(queue.pending.next_failure()) == "bad failed"
    assert queue.pending.next_failure() is None


def test_a_failure_reaches_c() -> None:
    machine, device = _device()
    machine.failing = {"bad"}
    functions, queue, code = Functions([device]), Queue(device, 0), c_int32(-1)
    number = functions._handles.add(queue)  # pyright: ignore[reportPrivateUsage]
    Order().submit(queue, NOTHING, _Command("bad"))
    functions.queue_wait(number)
    functions.queue_next_failure(number, addressof(code))
    assert (code.value, functions.messages.last) == (Errc.RUNTIME, "bad failed")
    functions.queue_next_failure(number, addressof(code))
    assert code.value == 0


def test_a_released_queue_lives_as_long_as_its_work() -> None:
    machine, device = _device()
    functions, queue = Functions([device]), Queue(device, 0)
    number = functions._handles.add(queue)  # pyright: ignore[reportPrivateUsage]
    Order().submit(queue, NOTHING, _Command("a"))
    functions.queue_release(number)
    del queue
    functions.wait_for_everything()
    assert machine.over == {"a"}
