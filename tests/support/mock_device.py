"""A device whose work is done when a test says so, or when someone waits for it."""

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


class MockEvent:
    """One command, or a gate, which has nothing to do."""

    def __init__(self, name: str, act: Callable[[], None], before: Sequence["MockEvent"]) -> None:
        self.name, self.act, self.before = name, act, list(before)
        self.over = False

    def open(self) -> None:
        self.act()

    @property
    def event(self) -> "MockEvent":
        return self


class Memory:
    """An allocation."""

    def __init__(self, size: int) -> None:
        self.content = (c_int32 * size)()
        self.address = addressof(self.content)


class MockMachine:
    """The device, as a back-end offers it."""

    def __init__(self, *aspects: str) -> None:
        self.description = DeviceDescription(
            backend="mock",
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
        self._commands: list[MockEvent] = []

    def open_queue(self, *, profiling: bool = False) -> "MockQueue":
        assert not profiling
        self.opened_queues += 1
        return MockQueue(self)

    def new_gate(self) -> MockEvent:
        def open_it() -> None:
            with self.changed:
                gate.over = True
                self.changed.notify_all()

        gate = MockEvent("gate", open_it, ())
        return gate

    def allocate(self, kind: MemoryKind, size: int, alignment: int = 0) -> BackendAllocation:
        if size > 1000:
            raise DeviceOutOfMemory("too much")
        self.allocated.append((kind, size))
        return cast(BackendAllocation, Memory(size))

    def go_on(self, name: str) -> None:
        """Let a command finish."""
        with self.changed:
            self.paused.discard(name)
            self.changed.notify_all()

    def enqueue(self, command: MockEvent) -> None:
        with self.changed:
            self._commands.append(command)

    def wait(self, event: MockEvent) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self._advanced_to(event), PATIENCE), event.name
        if event.name in self.failing:
            raise DeviceError(f"{event.name} failed")

    def _advanced_to(self, event: MockEvent) -> bool:
        """Run commands until the event is over; return whether it is."""
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

    def _is_ready(self, command: MockEvent) -> bool:
        return command.name not in self.paused and all(each.over for each in command.before)


class MockQueue:
    """An in-order queue."""

    def __init__(self, machine: MockMachine) -> None:
        self._machine = machine
        self._last: list[MockEvent] = []

    def enqueue(self, name: str, act: Callable[[], None], after: Sequence[MockEvent]) -> MockEvent:
        event = MockEvent(name, act, [*self._last, *after])
        self._last = [event]
        self._machine.enqueue(event)
        return event

    def marker(self, after: Sequence[MockEvent] = ()) -> MockEvent:
        return self.enqueue("marker", lambda: None, after)

    def wait(self, event: MockEvent, may_block: bool = False, /) -> None:
        self._machine.wait(event)

    def is_done(self, event: MockEvent, /) -> bool:
        return event.over

    def flush(self) -> None:
        pass


class MockCommand(QueuedCommand):
    """Writes its number into all its buffers, and records what it was started with."""

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

        return (cast(MockQueue, queue).enqueue(self.name, act, after),)


def mock_device(*aspects: str) -> tuple[MockMachine, Device]:
    """Return a machine with shared memory, and its device."""
    machine = MockMachine("usm_shared_allocations", *aspects)
    return machine, Device(cast(BackendDevice, machine))
