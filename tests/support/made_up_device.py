"""A device whose work is done when it is told, or when someone waits for it."""

from collections.abc import Callable, Mapping, Sequence
from ctypes import addressof, c_int32
from threading import Condition
from typing import Any, cast

from patience import PATIENCE

from dovetail.errors import DeviceError
from dovetail.runtime.backend import (
    BackendAllocation,
    BackendDevice,
    BackendQueue,
    DeviceDescription,
    DeviceKind,
    DeviceOutOfMemory,
    Limits,
    MemoryKind,
)
from dovetail.runtime.device import Device
from dovetail.runtime.host.queue import QueuedCommand


class MadeUpEvent:
    """One command, or a gate, which has nothing to do."""

    def __init__(self, name: str, act: Callable[[], None], before: Sequence["MadeUpEvent"]) -> None:
        self.name, self.act, self.before = name, act, list(before)
        self.over = False

    def open(self) -> None:
        self.act()

    @property
    def event(self) -> "MadeUpEvent":
        return self


class Memory:
    """An allocation."""

    def __init__(self, size: int) -> None:
        self.content = (c_int32 * size)()
        self.address = addressof(self.content)


class MadeUpMachine:
    """The device, as a back-end offers it."""

    def __init__(self, *aspects: str) -> None:
        self.description = DeviceDescription(
            backend="made up",
            platform="none",
            name="machine",
            kind=DeviceKind.CPU,
            driver_version="1",
            limits=Limits(64, (64, 64, 64), 1, 1, 1),
            sub_group_sizes=(),
            spirv_versions=(),
            extensions=frozenset(),
            aspects=frozenset(aspects),
        )
        self.done: list[str] = []
        """Names of commands, in the order in which they were done."""
        self.failing: set[str] = set()
        self.paused: set[str] = set()
        """Commands that are not done before `go_on`."""
        self.allocated: list[tuple[MemoryKind, int]] = []
        self.opened_queues = 0
        self.changed = Condition()
        self._commands: list[MadeUpEvent] = []

    def open_queue(self, *, profiling: bool = False) -> "MadeUpQueue":
        assert not profiling
        self.opened_queues += 1
        return MadeUpQueue(self)

    def new_gate(self) -> MadeUpEvent:
        def open_it() -> None:
            with self.changed:
                gate.over = True
                self.changed.notify_all()

        gate = MadeUpEvent("gate", open_it, ())
        return gate

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        if size > 1000:
            raise DeviceOutOfMemory("too much")
        self.allocated.append((kind, size))
        return cast(BackendAllocation, Memory(size))

    def go_on(self, name: str) -> None:
        """Let a command be done."""
        with self.changed:
            self.paused.discard(name)
            self.changed.notify_all()

    def enqueue(self, command: MadeUpEvent) -> None:
        with self.changed:
            self._commands.append(command)

    def wait(self, event: MadeUpEvent) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self._advanced_to(event), PATIENCE), event.name
        if event.name in self.failing:
            raise DeviceError(f"{event.name} failed")

    def _advanced_to(self, event: MadeUpEvent) -> bool:
        """Do what can be done as long as that is not."""
        while not event.over:
            ready = next((command for command in self._commands if self._is_ready(command)), None)
            if ready is None:
                return False
            self._commands.remove(ready)
            ready.act()
            ready.over = True
            self.done.append(ready.name)
            self.changed.notify_all()
        return True

    def _is_ready(self, command: MadeUpEvent) -> bool:
        return command.name not in self.paused and all(each.over for each in command.before)


class MadeUpQueue:
    """An in-order queue."""

    def __init__(self, machine: MadeUpMachine) -> None:
        self._machine = machine
        self._last: list[MadeUpEvent] = []

    def enqueue(
        self, name: str, act: Callable[[], None], after: Sequence[MadeUpEvent]
    ) -> MadeUpEvent:
        event = MadeUpEvent(name, act, [*self._last, *after])
        self._last = [event]
        self._machine.enqueue(event)
        return event

    def marker(self, after: Sequence[MadeUpEvent] = ()) -> MadeUpEvent:
        return self.enqueue("marker", lambda: None, after)

    def wait(self, event: MadeUpEvent, may_block: bool = False, /) -> None:
        self._machine.wait(event)

    def is_done(self, event: MadeUpEvent, /) -> bool:
        return event.over

    def flush(self) -> None:
        pass


class MadeUpCommand(QueuedCommand):
    """Writes its number into all its buffers, and remembers what it was started with."""

    def __init__(self, name: str, value: int | None = None) -> None:
        self.name, self.value = name, value
        self.after: list[str] = []
        self.seen: list[int] = []

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[Any],
    ) -> tuple[Any, ...]:
        self.after = [event.name for event in after]

        def act() -> None:
            for allocation in memory.values():
                content = c_int32.from_address(allocation.address)
                self.seen.append(content.value)
                if self.value is not None:
                    content.value = self.value

        return (cast(MadeUpQueue, queue).enqueue(self.name, act, after),)


def made_up_device(*aspects: str) -> tuple[MadeUpMachine, Device]:
    """A machine with shared memory, and the device that it is."""
    machine = MadeUpMachine("usm_shared_allocations", *aspects)
    return machine, Device(cast(BackendDevice, machine))
