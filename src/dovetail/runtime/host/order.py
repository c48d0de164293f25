"""Starting work behind what it requires.

Nobody waits here but who asks for content. Work of one lane is in order by itself, and behind work
of other lanes of the device the driver puts it. Behind everything else, work of another device and
what the host does, it is put by latches, which threads of the runtime open. Who uses which buffer
is noted under one lock, which is never held while anything waits or content moves.
"""

from collections.abc import Iterable
from contextlib import nullcontext
from ctypes import memmove
from dataclasses import dataclass
from functools import partial
from itertools import islice
from threading import RLock
from typing import NamedTuple

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent
from dovetail.runtime.device import Device
from dovetail.runtime.host.before import (
    Dependency,
    latch_of,
    run_after,
    unfinished,
    unfinished_elsewhere,
)
from dovetail.runtime.host.buffer import Buffer, HostPlace, Move
from dovetail.runtime.host.commands import Marker
from dovetail.runtime.host.host_work import HostFunction, HostWork
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import HostQueue, QueuedCommand, QueueWork
from dovetail.runtime.host.structures import Access

# Bytes that are moved as quickly as a thread is woken up to do it.
_MAX_INLINE_BYTES = 1 << 18


@dataclass(frozen=True)
class WorkNeeds:
    """What a command group uses and waits for."""

    accesses: dict[int, tuple[Buffer, Access]]
    """By the buffer's handle."""
    events: tuple[QueueWork, ...]

    def keeping_content(self) -> "WorkNeeds":
        """The same for work that leaves the buffers' content as it is."""
        kept = {
            handle: (buffer, access & ~Access.NO_INIT)
            for handle, (buffer, access) in self.accesses.items()
        }
        return WorkNeeds(kept, self.events)

    def work(self) -> list[Dependency]:
        """Everything that has to be over before."""
        conflicts = (buffer.before(access) for buffer, access in self.accesses.values())
        return [*self.events, *(before for each in conflicts for before in each)]


class WorkOrder:
    """The order of all work that shares buffers or events."""

    def __init__(self) -> None:
        # Letting go of things under the lock can run finalizers of any kind, so it is reentrant.
        self._lock = RLock()
        self._host_accesses: dict[Latch, None] = {}
        """Those that host code has not ended."""

    def submit(self, queue: HostQueue, needs: WorkNeeds, command: QueuedCommand) -> QueueWork:
        """Start a command behind what it needs."""
        if not needs.accesses and not needs.events and not queue.held:
            return queue.start(command, {})
        self._allocate(queue.device, needs)
        # What needs no buffers changes nothing that other threads see.
        with self._lock if needs.accesses else nullcontext():
            queue.forget_finished()
            return _start(queue, needs, command)

    def submit_barrier(self, queue: HostQueue, events: tuple[QueueWork, ...]) -> QueueWork:
        """Start what all later work of the queue waits for, behind events.

        If there are none, it waits for everything before it.
        """
        queue.forget_finished()
        before = events or tuple(queue.held)
        if before:
            barrier = _start_after(queue, Marker(), {}, before, queue.main_lane)
        else:
            barrier = queue.start(Marker(), {})
        queue.barrier = barrier
        return barrier

    def submit_host(self, queue: HostQueue, needs: WorkNeeds, task: HostFunction) -> HostWork:
        """Have the host do something in a thread of the runtime's, behind what it needs."""
        with self._lock:
            queue.forget_finished()
            before = [*needs.work(), *_queue_dependencies(queue)]
            places: list[HostPlace] = []
            for buffer, access in needs.accesses.values():
                places.append(buffer.on_host(access))
                before += _arrivals(buffer, places[-1])
            work = HostWork(queue, (task, places))
            try:
                if queue.in_order:
                    event = work.latch.event_on(queue.device)
                    queue.start_held(Marker(), {}, event, queue.main_lane)
            except BaseException:
                work.end()
                raise
            for (buffer, access), place in zip(needs.accesses.values(), places, strict=True):
                buffer.used_by(work, access, place.memory)
        run_after(before, partial(_run_task, work, task, places))
        return work

    def host_access(self, buffer: Buffer, access: Access) -> int:
        """Wait for conflicting work; the address of the content for the host.

        Work that conflicts waits until `end_host_access`.
        """
        latch = Latch()
        while True:
            with self._lock:
                place = buffer.on_host(access)
                waits = unfinished_elsewhere([*buffer.commands(access), *_arrivals(buffer, place)])
                if not waits:
                    arrival = buffer.begin_host_access(latch, access, place)
                    self._host_accesses[latch] = None
                    break
            _settle(waits)
        if place.move is not None:
            place.move.make()
        if arrival is not None:
            arrival.open()
        return place.memory.address

    def end_host_access(self, buffer: Buffer, access: Access) -> None:
        """Let work that conflicts go on."""
        with self._lock:
            latch = buffer.end_host_access(access)
        if latch is not None:
            self._host_accesses.pop(latch, None)
            latch.open()

    def end_all_host_accesses(self) -> None:
        """Let all work go on, as the process ends."""
        for latch in tuple(self._host_accesses):
            latch.open()

    def read(self, buffer: Buffer, address: int) -> None:
        """Wait for work that writes the buffer, then copy its content out."""
        begin = self.host_access(buffer, Access.READ)
        try:
            if begin != address:
                memmove(address, begin, buffer.size)
        finally:
            self.end_host_access(buffer, Access.READ)

    def wait_for_users(self, buffer: Buffer) -> None:
        """Wait for all work that uses the buffer."""
        with self._lock:
            users = list(buffer.commands(Access.WRITE))
        _settle(users)

    def _allocate(self, device: Device, needs: WorkNeeds) -> None:
        """See to it that all buffers have memory on the device; this may wait for it."""
        for buffer, _ in needs.accesses.values():
            if buffer.lacks_memory(device):
                memory = buffer.allocate(device)
                with self._lock:
                    buffer.adopt(device, memory)


def _start(queue: HostQueue, needs: WorkNeeds, command: QueuedCommand) -> QueueWork:
    """Start a command where its content is, or will be."""
    before = needs.work()
    memory: dict[int, BackendAllocation] = {}
    moves: list[tuple[Buffer, Move]] = []
    for handle, (buffer, access) in needs.accesses.items():
        place = memory[handle] = buffer.on_device(queue.device)
        if not access & Access.NO_INIT:
            before += buffer.arrival(place)
            move = buffer.move_to(place)
            if move is not None:
                moves.append((buffer, move))
    if moves:
        latch, covered = _make(moves)
        before = [latch, *(each for each in before if each not in covered)]
    work = _start_after(queue, command, memory, before)
    for handle, (buffer, access) in needs.accesses.items():
        buffer.used_by(work, access, memory[handle])
    return work


def _make(moves: list[tuple[Buffer, Move]]) -> tuple[Latch, list[Dependency]]:
    """Have content moved: a latch that opens when it is where it has to be, and behind what."""
    latch = Latch()
    before: list[Dependency] = []
    for buffer, move in moves:
        before += [*buffer.before(Access.READ), *buffer.arrival(move.source)]
    waits = unfinished(before)
    if not waits and sum(move.size for _, move in moves) <= _MAX_INLINE_BYTES:
        for buffer, move in moves:
            move.make()
            buffer.arrives(move.target, None)
        latch.open()
        return latch, []
    for buffer, move in moves:
        buffer.arrives(move.target, latch)
        # Whoever writes the buffer next must leave the source as it is until then.
        buffer.used_by(latch, Access.READ, move.source)

    def make() -> None:
        for _, move in moves:
            move.make()
        latch.open()

    run_after(waits, make)
    return latch, waits


def _start_after(
    queue: HostQueue,
    command: QueuedCommand,
    memory: dict[int, BackendAllocation],
    dependencies: Iterable[Dependency],
    lane: BackendQueue | None = None,
) -> QueueWork:
    """Start a command behind other work and latches; in a given lane, if there is one."""
    classified = _classify(queue.device, dependencies)
    near, latches = classified.near, classified.latches
    if classified.foreign:
        latches.append(_latch_after(classified.foreign))
    if not latches and not classified.is_held and not (queue.in_order and queue.held):
        return queue.start(command, memory, _native_events(near, queue.main_lane))
    lane = lane or queue.lane_for_held()
    if queue.barrier is not None:
        near.append(queue.barrier)
    events = _native_events(near, lane)
    for latch in latches:
        events += latch.event_on(queue.device)
    return queue.start_held(command, memory, events, lane)


class _Dependencies(NamedTuple):
    """What work of a device has to wait for, by the ways to do so."""

    near: list[QueueWork]
    """On the same device."""
    foreign: list[QueueWork]
    latches: list[Latch]
    is_held: bool
    """Whether some of what is near waits for the host."""


def _classify(device: Device, dependencies: Iterable[Dependency]) -> _Dependencies:
    """What of these is not over, as far as the driver does not see to that more quickly."""
    near: list[QueueWork] = []
    foreign: list[QueueWork] = []
    latches: list[Latch] = []
    is_held = False
    for before in dict.fromkeys(dependencies):
        is_near = isinstance(before, QueueWork) and before.owner.device is device
        if isinstance(before, QueueWork) and is_near and not before.waits_for_host:
            near.append(before)
        elif before.done:
            continue
        elif (latch := latch_of(before)) is not None:
            latches.append(latch)
        elif isinstance(before, QueueWork):
            (near if is_near else foreign).append(before)
            is_held |= is_near
    return _Dependencies(near, foreign, latches, is_held)


def _latch_after(works: list[QueueWork]) -> Latch:
    """Opens when the work, of other devices, is over."""
    latch = Latch()
    run_after(works, latch.open)
    return latch


def _queue_dependencies(queue: HostQueue) -> list[Dependency]:
    """What the host has to wait for because it came to the queue earlier."""
    if not queue.in_order:
        return [] if queue.barrier is None else [queue.barrier]
    # The host's own comes first: as long as that is under way, no thread waits for the driver.
    hosts = (work for work in reversed(tuple(queue.held)) if latch_of(work) is not None)
    return [*islice(hosts, 1), _start_after(queue, Marker(), {}, ())]


def _arrivals(buffer: Buffer, place: HostPlace) -> Iterable[Dependency]:
    return buffer.arrival(place.memory if place.move is None else place.move.source)


def _run_task(work: HostWork, task: HostFunction, places: list[HostPlace]) -> None:
    def act() -> DovetailError | None:
        for place in places:
            if place.move is not None:
                place.move.make()
        return task.run([place.memory.address for place in places])

    work.run(act)
    task.let_go()


def _native_events(works: Iterable[QueueWork], lane: BackendQueue) -> list[NativeEvent]:
    """The driver's events of other lanes."""
    return [native for work in works if work.queue is not lane for native in work.natives or ()]


def _settle(dependencies: Iterable[Dependency]) -> None:
    """Wait; what fails is kept by its queue and no concern of whoever comes after."""
    for before in dependencies:
        before.settle()
