"""Starting work behind what it requires.

Work of one queue is in order by itself. Behind work of another queue on the same device the driver
puts it, and behind work of other devices we wait. Who uses which buffer is noted under one lock,
which is never held while anything waits.
"""

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from threading import RLock

from dovetail.runtime.backend import NativeEvent
from dovetail.runtime.host.buffer import Buffer
from dovetail.runtime.host.queue import Command, Queue, Work
from dovetail.runtime.host.structures import Access


@dataclass(frozen=True)
class Needs:
    """What a command group uses and waits for."""

    accesses: dict[int, tuple[Buffer, Access]]
    """By the buffer's handle."""
    events: tuple[Work, ...]

    def keeping_content(self) -> "Needs":
        """The same for work that leaves the buffers' content as it is."""
        kept = {
            handle: (buffer, access & ~Access.NO_INIT)
            for handle, (buffer, access) in self.accesses.items()
        }
        return Needs(kept, self.events)

    def work(self) -> list[Work]:
        """Everything that has to be done before."""
        conflicts = [buffer.conflicts(access) for buffer, access in self.accesses.values()]
        return [*self.events, *(work for works in conflicts for work in works)]


class Order:
    """The order of all work that shares buffers or events."""

    def __init__(self) -> None:
        # Letting go of things under the lock can run finalizers of any kind, so it is reentrant.
        self._lock = RLock()

    def submit(self, queue: Queue, needs: Needs, command: Command) -> Work:
        """Start a command behind what it needs."""
        if not needs.accesses and not needs.events:
            return queue.start(command, {})
        while True:
            # What needs no buffers changes nothing that other threads see.
            with self._lock if needs.accesses else nullcontext():
                work = needs.work()
                elsewhere = _under_way(w for w in work if w.owner.device is not queue.device)
                if not elsewhere:
                    return _start(queue, needs, command, _native_events(queue, work))
            _settle(elsewhere)

    def host_access(self, buffer: Buffer, access: Access) -> int:
        """Wait for conflicting work; the address of the content for the host."""
        while True:
            with self._lock:
                conflicts = _under_way(buffer.conflicts(access))
                if not conflicts:
                    return buffer.on_host(access)
            _settle(conflicts)

    def read(self, buffer: Buffer, address: int) -> None:
        """Wait for work that writes the buffer, then copy its content out."""
        while True:
            with self._lock:
                conflicts = _under_way(buffer.conflicts(Access.READ))
                if not conflicts:
                    buffer.copy_to(address)
                    return
            _settle(conflicts)

    def wait_for_users(self, buffer: Buffer) -> None:
        """Wait for all work that uses the buffer."""
        with self._lock:
            users = list(buffer.conflicts(Access.WRITE))
        _settle(users)


def _start(queue: Queue, needs: Needs, command: Command, after: list[NativeEvent]) -> Work:
    memory = {
        handle: buffer.on_device(queue.device, access)
        for handle, (buffer, access) in needs.accesses.items()
    }
    work = queue.start(command, memory, after)
    for buffer, access in needs.accesses.values():
        buffer.used_by(work, access)
    return work


def _native_events(queue: Queue, works: Iterable[Work]) -> list[NativeEvent]:
    """The driver's events of the device's other queues; elsewhere, all is done by now."""
    others = (w for w in works if w.owner is not queue and w.owner.device is queue.device)
    return [native for work in others for native in work.natives or ()]


def _under_way(works: Iterable[Work]) -> list[Work]:
    return [work for work in works if not work.done]


def _settle(works: Iterable[Work]) -> None:
    """Wait; what fails is kept by its queue and no concern of whoever comes after."""
    for work in works:
        work.settle()
