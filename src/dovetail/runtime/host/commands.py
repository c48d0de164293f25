"""What queues do besides running kernels: copy, fill, and wait in line."""

from collections.abc import Mapping, Sequence
from ctypes import Array, addressof, c_char
from dataclasses import dataclass

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent
from dovetail.runtime.device_globals import GlobalCopy
from dovetail.runtime.host.queue import QueuedCommand

# The patterns that drivers fill with: a power of two, up to the size of the largest vector.
_MAX_PATTERN = 128
# Bytes of another pattern that are laid out on the host; copies on the device double them.
_SEED_SIZE = 4096


@dataclass(frozen=True)
class Marker(QueuedCommand):
    """Nothing to do, but in order."""

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return (queue.marker(after),)


@dataclass(frozen=True)
class Copy(QueuedCommand):
    """Bytes from one address to another."""

    target: int
    source: int
    size: int

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return (queue.copy(self.target, self.source, self.size, after),)


@dataclass(frozen=True)
class CopyGlobal(QueuedCommand):
    """Bytes to or from a variable on the device."""

    copy: GlobalCopy

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return self.copy.start(queue, after)


@dataclass(frozen=True)
class Fill(QueuedCommand):
    """A pattern over and over, by the driver."""

    target: int
    pattern: bytes
    size: int

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return (queue.fill(self.target, self.pattern, self.size, after),)


@dataclass(frozen=True)
class FillByCopies(QueuedCommand):
    """A pattern that drivers do not take: its beginning is copied in, then doubled in place."""

    target: int
    seed: "Array[c_char]"
    size: int

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        done = len(self.seed)
        events = [queue.copy(self.target, addressof(self.seed), done, after)]
        try:
            while done < self.size:
                step = min(done, self.size - done)
                events.append(queue.copy(self.target + done, self.target, step))
                done += step
        except DovetailError:
            # The first copy still reads the seed, which is about to go.
            queue.finish()
            raise
        return tuple(events)


def fill_command(target: int, pattern: bytes, count: int) -> QueuedCommand:
    """The command that writes `count` patterns in a row."""
    length = len(pattern)
    size = length * count
    if not size:
        return Marker()
    is_power = length & (length - 1) == 0
    if is_power and length <= _MAX_PATTERN and target % length == 0:
        return Fill(target, pattern, size)
    repeats = min(count, max(1, _SEED_SIZE // length))
    return FillByCopies(
        target, (c_char * (length * repeats)).from_buffer_copy(pattern * repeats), size
    )


def copy_command(target: int, source: int, size: int) -> QueuedCommand:
    """The command that copies `size` bytes."""
    return Copy(target, source, size) if size else Marker()
