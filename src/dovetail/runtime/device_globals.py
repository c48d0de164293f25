"""Device globals, which the host reads and writes; each device has its own value."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dovetail.errors import ArgumentValueError, DovetailError, ProgramBuildError
from dovetail.runtime.backend import BackendAllocation, BackendQueue, MemoryKind, NativeEvent
from dovetail.runtime.demangle import find_variable, variable_name
from dovetail.runtime.device import Device
from dovetail.runtime.device_global_accessor import DeviceGlobalAccessor, VariableSpan
from dovetail.runtime.event import Event
from dovetail.runtime.global_memory import GlobalMemory
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.memory import HasWork, UsmMemory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

    from dovetail.image import ManagedGlobal


class GlobalCopy(ABC):
    """A copy between a variable and memory at an address."""

    @abstractmethod
    def start(self, queue: BackendQueue, after: Sequence[NativeEvent]) -> tuple[NativeEvent, ...]:
        """Start the copy after the events; this object has to live until it is done."""


@dataclass(frozen=True)
class MemoryCopy(GlobalCopy):
    """The copy of a variable whose value is in memory that all images share."""

    memory: UsmMemory
    target: int
    source: int
    size: int

    def start(self, queue: BackendQueue, after: Sequence[NativeEvent]) -> tuple[NativeEvent, ...]:
        return (queue.copy(self.target, self.source, self.size, after),)


@dataclass(frozen=True)
class ImageCopy(GlobalCopy):
    """The copy of a variable whose value is in an image, through staging memory."""

    accessor: DeviceGlobalAccessor
    number: int
    span: VariableSpan
    staging: BackendAllocation
    address: int
    writes: bool

    def start(self, queue: BackendQueue, after: Sequence[NativeEvent]) -> tuple[NativeEvent, ...]:
        through, size = self.staging.address, self.span.size
        if self.writes:
            first = queue.copy(through, self.address, size, after)
            return (first, self._run_accessor(queue, ()))
        first = self._run_accessor(queue, after)
        return (first, queue.copy(self.address, through, size))

    def _run_accessor(self, queue: BackendQueue, after: Sequence[NativeEvent]) -> NativeEvent:
        return self.accessor.start(
            queue, self.number, self.span, self.staging, writes=self.writes, after=after
        )


@dataclass(frozen=True)
class DeviceVariable:
    """A device global of a program, or an array of them."""

    kept: "ManagedGlobal"
    memory: GlobalMemory
    kernels: tuple[Kernel, ...]
    """For a variable with image scope: the kernels in images that use it."""

    @property
    def name(self) -> str:
        """The qualified C++ name."""
        return variable_name(self.identifier)

    @property
    def identifier(self) -> str:
        """Its unique identifier in host and device code."""
        return self.kept.identifier

    @property
    def size(self) -> int:
        """Size in bytes, of all elements for an array."""
        return self.kept.total

    @property
    def has_image_scope(self) -> bool:
        """Whether it has the property `device_image_scope`: the value is in the image."""
        return self.kept.has_image_scope

    def read(self, queue: HasWork, dtype: "DTypeLike" = "u1") -> "NDArray[Any]":
        """Return the value on the queue's device, after the queue's earlier work, as an array."""
        import numpy as np

        element = np.dtype(dtype)
        if element.hasobject or not element.itemsize or self.size % element.itemsize:
            raise ArgumentValueError(
                f"'{self.name}' has {self.size} bytes, not a whole number of '{element}' values"
            )
        values = np.empty(self.size // element.itemsize, element)
        self._copy(queue, values, writes=False)
        return values

    def write(self, queue: HasWork, values: "NDArray[Any] | np.generic") -> None:
        """Set the value on the queue's device, after the queue's earlier work.

        The array must have as many bytes as the variable.
        """
        import numpy as np

        array = np.ascontiguousarray(values)
        if array.dtype.hasobject or array.nbytes != self.size:
            raise ArgumentValueError(
                f"'{self.name}': expected an array of {self.size} bytes, got {array.nbytes} bytes"
                f" of {array.dtype}"
            )
        self._copy(queue, array, writes=True)

    def _copy(self, queue: HasWork, array: "NDArray[Any]", *, writes: bool) -> None:
        """Copy between the variable and an array, and wait until it is done."""
        copy = self.copy(queue.device, array.ctypes.data, self.size, 0, writes=writes)
        event, pending = Event(), queue.pending
        try:
            pending.add(event, (copy, array))
            event.natives = copy.start(event.queue, ())
        except BaseException as error:
            pending.start_failed(event, error)
            raise
        event.wait()

    def copy(
        self, device: Device, address: int, size: int, offset: int, *, writes: bool
    ) -> GlobalCopy:
        """Return a copy between memory and `size` bytes of the value from `offset` on."""
        if offset + size > self.size:
            raise ArgumentValueError(
                f"'{self.name}' has {self.size} bytes; cannot copy {size} bytes from {offset} on"
            )
        if self.has_image_scope:
            accessor, kept = self._accessor(device)
            staging = device.allocate(MemoryKind.DEVICE, size)
            span = VariableSpan(offset, size, size, size)
            assert kept.number is not None
            return ImageCopy(accessor, kept.number, span, staging, address, writes)
        memory = self.memory.of(self.kept, device)
        place = memory.allocation.address + offset
        target, source = (place, address) if writes else (address, place)
        return MemoryCopy(memory, target, source, size)

    def _accessor(self, device: Device) -> "tuple[DeviceGlobalAccessor, ManagedGlobal]":
        """Return the accessor for the image that uses the variable; builds the image if needed."""
        problem: DovetailError | None = None
        for kernel in self.kernels:
            try:
                found = kernel.accessor_of(self.identifier, device)
            except DovetailError as error:
                problem = problem or error
                continue
            if found is not None:
                return found
        reason = f": {problem.message}" if problem else ""
        raise ProgramBuildError(
            f"'{self.name}' has the property device_image_scope, and no image that uses it can be"
            f" loaded on '{device.name}'{reason}",
            hint="only variables that a kernel uses have a value on a device",
        )


class DeviceVariables(Mapping[str, DeviceVariable]):
    """The device globals of a program, by any unambiguous name."""

    def __init__(self, variables: Mapping[str, DeviceVariable]) -> None:
        self._variables = variables

    def find(self, identifier: str) -> DeviceVariable | None:
        """Return the variable with that identifier, or None."""
        return self._variables.get(identifier)

    def __getitem__(self, name: str) -> DeviceVariable:
        return self._variables[find_variable(name, self._variables, "the program", "device global")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)
