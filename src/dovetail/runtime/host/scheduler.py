"""Starting work after its dependencies.

Only calls that ask for content wait here. A command queue is in order, and the driver orders
commands after those of the device's other command queues. Commands that depend on work of other
devices or of the host wait for latches, which worker threads open. The uses of buffers are recorded
under one lock, which is not held while a thread waits or content is copied.
"""

from collections.abc import Callable, Iterable
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
from dovetail.runtime.host.buffer import Buffer, HostPlace, Move
from dovetail.runtime.host.commands import Marker
from dovetail.runtime.host.dependencies import (
    Dependency,
    latch_of,
    run_after,
    unfinished,
    unfinished_elsewhere,
)
from dovetail.runtime.host.host_work import HostFunction, HostWork
from dovetail.runtime.host.latch import Latch
from dovetail.runtime.host.queue import HostQueue, QueuedCommand, QueueWork
from dovetail.runtime.host.structures import Access

# Copying this many bytes takes as long as waking up a thread.
_MAX_INLINE_BYTES = 1 << 18


@dataclass(frozen=True)
class WorkNeeds:
    """The buffers that a command group uses, and the events that it waits for."""

    accesses: dict[int, tuple[Buffer, Access]]
    """By the buffer's handle."""
    events: tuple[QueueWork, ...]

    def keeping_content(self) -> "WorkNeeds":
        """Return these needs for work that does not replace the whole content of buffers."""
        kept = {
            handle: (buffer, access & ~Access.NO_INIT)
            for handle, (buffer, access) in self.accesses.items()
        }
        return WorkNeeds(kept, self.events)

    def dependencies(self) -> list[Dependency]:
        """Return the events and the conflicting uses of buffers."""
        found: list[Dependency] = [*self.events]
        for buffer, access in self.accesses.values():
            found += buffer.conflicts(access)
        return found


class Scheduler:
    """The order of all work that shares buffers or events."""

    def __init__(self) -> None:
        # Reentrant: dropping references under the lock can run any finalizer.
        self._lock = RLock()
        self._host_accesses: dict[Latch, None] = {}
        """The latches of host accesses that host code has not ended."""

    def submit(self, queue: HostQueue, needs: WorkNeeds, command: QueuedCommand) -> QueueWork:
        """Start a command after its dependencies."""
        if not needs.accesses and not needs.events and not queue.held:
            return queue.start(command, {})
        self._allocate(queue.device, needs)
        # Work without buffers does not change shared state.
        with self._lock if needs.accesses else nullcontext():
            queue.forget_finished()
            return _start(queue, needs, command)

    def submit_barrier(self, queue: HostQueue, events: tuple[QueueWork, ...]) -> QueueWork:
        """Start a barrier after events, which all later work of the queue waits for.

        Without events, it waits for all earlier work.
        """
        queue.forget_finished()
        dependencies = events or tuple(queue.held)
        if dependencies:
            barrier = _start_after(queue, Marker(), {}, dependencies, queue.main_queue)
        else:
            barrier = queue.start(Marker(), {})
        queue.barrier = barrier
        return barrier

    def submit_host(self, queue: HostQueue, needs: WorkNeeds, task: HostFunction) -> HostWork:
        """Run a host function in a worker thread after its dependencies."""
        with self._lock:
            queue.forget_finished()
            dependencies = [*needs.dependencies(), *_queue_dependencies(queue)]
            places: list[HostPlace] = []
            for buffer, access in needs.accesses.values():
                places.append(buffer.on_host(access))
                dependencies += _arrivals(buffer, places[-1])
            work = HostWork(queue, (task, places))
            try:
                if queue.in_order:
                    event = work.latch.event_on(queue.device)
                    queue.start_held(Marker(), {}, event, queue.main_queue)
            except BaseException:
                work.end()
                raise
            for (buffer, access), place in zip(needs.accesses.values(), places, strict=True):
                buffer.used_by(work, access, place.memory)
        run_after(dependencies, partial(_run_task, work, task, places))
        return work

    def host_access(self, buffer: Buffer, access: Access) -> int:
        """Wait for conflicting work; return the address of the content for a host accessor.

        Conflicting later work waits until `end_host_access`.
        """
        return self._begin_host_access(buffer, access, buffer.for_host_accessor)

    def _begin_host_access(
        self, buffer: Buffer, access: Access, find_place: Callable[[Access], HostPlace]
    ) -> int:
        """Wait for conflicting work, record the access, copy the content; return its address."""
        latch = Latch()
        while True:
            with self._lock:
                place = find_place(access)
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
        """Let conflicting work continue."""
        with self._lock:
            latch = buffer.end_host_access(access)
        if latch is not None:
            self._host_accesses.pop(latch, None)
            latch.open()

    def end_all_host_accesses(self) -> None:
        """End all host accesses, since the process ends."""
        for latch in tuple(self._host_accesses):
            latch.open()

    def read(self, buffer: Buffer, address: int) -> None:
        """Wait for work that writes the buffer, then copy its content to an address."""
        begin = self._begin_host_access(buffer, Access.READ, buffer.on_host)
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
        """Allocate memory on the device for buffers without it; this may wait for the device."""
        for buffer, _ in needs.accesses.values():
            if buffer.lacks_memory(device):
                memory = buffer.allocate(device)
                with self._lock:
                    buffer.adopt(device, memory)


def _start(queue: HostQueue, needs: WorkNeeds, command: QueuedCommand) -> QueueWork:
    """Start a command after the copies that its buffers need."""
    dependencies = needs.dependencies()
    memory: dict[int, BackendAllocation] = {}
    moves: list[tuple[Buffer, Move]] = []
    for handle, (buffer, access) in needs.accesses.items():
        place = memory[handle] = buffer.on_device(queue.device)
        if not access & Access.NO_INIT:
            dependencies += buffer.arrival(place)
            move = buffer.move_to(place)
            if move is not None:
                moves.append((buffer, move))
    if moves:
        latch, covered = _start_moves(moves)
        dependencies = [latch, *(each for each in dependencies if each not in covered)]
    work = _start_after(queue, command, memory, dependencies)
    for handle, (buffer, access) in needs.accesses.items():
        buffer.used_by(work, access, memory[handle])
    return work


def _start_moves(moves: list[tuple[Buffer, Move]]) -> tuple[Latch, list[Dependency]]:
    """Start copies; return a latch for their end, and the dependencies that it includes."""
    latch = Latch()
    dependencies: list[Dependency] = []
    for buffer, move in moves:
        dependencies += [*buffer.conflicts(Access.READ), *buffer.arrival(move.source)]
    waits = unfinished(dependencies)
    if not waits and sum(move.size for _, move in moves) <= _MAX_INLINE_BYTES:
        for buffer, move in moves:
            move.make()
            buffer.arrives(move.target, None)
        latch.open()
        return latch, []
    for buffer, move in moves:
        buffer.arrives(move.target, latch)
        # The next writer of the buffer must not change the source until then.
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
    native: BackendQueue | None = None,
) -> QueueWork:
    """Start a command after dependencies; in the command queue `native`, if given."""
    classified = _classify(queue.device, dependencies)
    near, latches = classified.near, classified.latches
    if classified.foreign:
        latches.append(_latch_after(classified.foreign))
    if not latches and not classified.is_held and not (queue.in_order and queue.held):
        return queue.start(command, memory, _native_events(near, queue.main_queue))
    native = native or queue.queue_for_held()
    if queue.barrier is not None:
        near.append(queue.barrier)
    events = _native_events(near, native)
    for latch in latches:
        events += latch.event_on(queue.device)
    return queue.start_held(command, memory, events, native)


class _Dependencies(NamedTuple):
    """Dependencies of a device's work, by how it waits for them."""

    near: list[QueueWork]
    """Work of the same device."""
    foreign: list[QueueWork]
    """Work of other devices."""
    latches: list[Latch]
    is_held: bool
    """Whether work of the same device waits for the host."""


def _classify(device: Device, dependencies: Iterable[Dependency]) -> _Dependencies:
    """Classify dependencies by how the device waits for them, and drop finished ones.

    Work of the device itself is not checked, since its driver does that faster.
    """
    near: list[QueueWork] = []
    foreign: list[QueueWork] = []
    latches: list[Latch] = []
    is_held = False
    for dependency in dict.fromkeys(dependencies):
        is_near = isinstance(dependency, QueueWork) and dependency.owner.device is device
        if isinstance(dependency, QueueWork) and is_near and not dependency.waits_for_host:
            near.append(dependency)
        elif dependency.done:
            continue
        elif (latch := latch_of(dependency)) is not None:
            latches.append(latch)
        elif isinstance(dependency, QueueWork):
            (near if is_near else foreign).append(dependency)
            is_held |= is_near
    return _Dependencies(near, foreign, latches, is_held)


def _latch_after(works: list[QueueWork]) -> Latch:
    """Return a latch that opens after the work, of other devices, is done."""
    latch = Latch()
    run_after(works, latch.open)
    return latch


def _queue_dependencies(queue: HostQueue) -> list[Dependency]:
    """Return the earlier work of the queue that host work has to wait for."""
    if not queue.in_order:
        return [] if queue.barrier is None else [queue.barrier]
    # Host work comes first: while it is in flight, no thread waits for the driver.
    hosts = (work for work in reversed(tuple(queue.held)) if latch_of(work) is not None)
    return [*islice(hosts, 1), _start_after(queue, Marker(), {}, ())]


def _arrivals(buffer: Buffer, place: HostPlace) -> Iterable[Dependency]:
    """Return the dependency after which the content can be accessed, or copied, at a place."""
    return buffer.arrival(place.memory if place.move is None else place.move.source)


def _run_task(work: HostWork, task: HostFunction, places: list[HostPlace]) -> None:
    """Copy the content that a host function needs, then run and release it."""

    def act() -> DovetailError | None:
        for place in places:
            if place.move is not None:
                place.move.make()
        return task.run([place.memory.address for place in places])

    work.run(act)
    task.release()


def _native_events(works: Iterable[QueueWork], native: BackendQueue) -> list[NativeEvent]:
    """Return the driver's events of work in other command queues."""
    return [event for work in works if work.queue is not native for event in work.natives or ()]


def _settle(dependencies: Iterable[Dependency]) -> None:
    """Wait for dependencies; errors are reported by their own queues."""
    for dependency in dependencies:
        dependency.settle()
