"""Commands other than kernels: copies, fills and markers."""

from collections.abc import Mapping, Sequence
from ctypes import Array, addressof, c_char
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dovetail.errors import DovetailError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, NativeEvent
from dovetail.runtime.host.queue import QueuedCommand

if TYPE_CHECKING:
    from dovetail.runtime.device_globals import GlobalCopy

# The largest pattern that drivers fill with: the size of the largest vector.
_MAX_PATTERN = 128
# For other patterns, the bytes that the host prepares; copies on the device double them.
_SEED_SIZE = 4096


@dataclass(frozen=True)
class Marker(QueuedCommand):
    """A command that does nothing, in order."""

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return (queue.marker(after),)


@dataclass(frozen=True)
class Copy(QueuedCommand):
    """A copy between addresses."""

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
    """A copy to or from a device global."""

    copy: "GlobalCopy"

    def start(
        self,
        queue: BackendQueue,
        memory: Mapping[int, BackendAllocation],
        after: Sequence[NativeEvent],
    ) -> tuple[NativeEvent, ...]:
        return self.copy.start(queue, after)


@dataclass(frozen=True)
class Fill(QueuedCommand):
    """A fill by the driver."""

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
    """A fill with a pattern that drivers do not support: copies that double the filled range."""

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
            # The first copy still reads the seed, which is about to be freed.
            queue.finish()
            raise
        return tuple(events)


def fill_command(target: int, pattern: bytes, count: int) -> QueuedCommand:
    """Return the command that writes a pattern `count` times in a row."""
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
    """Return the command that copies `size` bytes."""
    return Copy(target, source, size) if size else Marker()
