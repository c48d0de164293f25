"""The context of a device: what all of its work and memory on the GPU belongs to.

It is the device's primary context, which other libraries of the process share. If a kernel fails,
the whole context is unusable. A lost context stays lost: its memory and code are gone, and a new
device object gets a new one.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import RLock
from typing import Any
from weakref import WeakSet

from dovetail.errors import DeviceError, DovetailError, KernelAssertionFailed
from dovetail.runtime.cuda.api import ASSERT, CudaError, Driver, Handle

_LOST_HINT = (
    "its memory and running work are lost; dovetail.devices() returns the device with a new"
    " context, for new queues and arrays"
)

_DISABLE_TIMING = 2  # CU_EVENT_DISABLE_TIMING
_BLOCKING_SYNC = 1  # CU_EVENT_BLOCKING_SYNC


class CudaContext:
    """The context of one device, opened on first use."""

    def __init__(self, driver: Driver, device: Handle, name: str) -> None:
        self.driver = driver
        self.name = name
        """The name of the device, for messages."""
        self.failure: DovetailError | None = None
        """Why the context is unusable; None while it is usable."""
        self._device = device
        self._handle: Handle | None = None
        self._opening = RLock()
        self._set_current = driver.function("cuCtxSetCurrent")
        self._suspects: WeakSet[Suspects] = WeakSet()
        self._events: dict[int, list[Handle]] = {}
        """Events that nothing uses, by their flags."""

    @property
    def is_lost(self) -> bool:
        """Whether the context is unusable."""
        return self.failure is not None

    def enter(self) -> None:
        """Make this the context of the calling thread; raise `DeviceError` if it is unusable.

        Called before each use of the driver, since other libraries also set the thread's context.
        """
        if self.failure is not None:
            raise self.lost_error()
        (status,) = self._set_current(self._handle or self._open())
        if status:
            raise self.failed(self.driver.error("cuCtxSetCurrent", status))

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of the driver in this context; raise an error that names the cause."""
        self.enter()
        try:
            return self.driver.call(name, *arguments)
        except CudaError as error:
            raise self.failed(error) from None

    def release(self, name: str, handle: Handle) -> None:
        """Call a function that frees something; for finalizers, in which nothing can be reported.

        If the call fails, the context is lost, perhaps through another library, and the object with
        it.
        """
        if not self.is_lost:
            with suppress(DovetailError):
                self.call(name, handle)

    def failed(self, error: CudaError) -> DovetailError:
        """Return the error to raise for a failed call; note it if the context is unusable now."""
        if not error.is_fatal:
            return error
        if self.failure is None:
            self.failure = _failure(error, self.name, self._unfinished())
        return self.failure_error()

    def failure_error(self) -> DovetailError:
        """Return the error for work that was in flight when the context failed."""
        # A new object each time: a traceback would keep what its frames refer to alive.
        assert self.failure is not None
        return type(self.failure)(self.failure.message, hint=self.failure.hint)

    def lost_error(self) -> DeviceError:
        """Return the error for a use of the lost context."""
        assert self.failure is not None
        return DeviceError(
            f"the context of '{self.name}' is unusable since an earlier failure:"
            f" {self.failure.message}",
            hint=_LOST_HINT,
        )

    def new_suspects(self, names: Callable[[], Iterable[str]]) -> "Suspects":
        """Return a record of kernels that may be running, tracked as long as it exists."""
        suspects = Suspects(names)
        self._suspects.add(suspects)
        return suspects

    def take_event(self, *, timing: bool = False) -> Handle:
        """Return an event of the driver, new or used before; `return_event` takes it back."""
        flags = _BLOCKING_SYNC if timing else _BLOCKING_SYNC | _DISABLE_TIMING
        try:
            return self._events[flags].pop()
        except (KeyError, IndexError):
            return self.call("cuEventCreate", flags)

    def return_event(self, event: Handle, *, timing: bool = False) -> None:
        """Keep an event for later use; callable from finalizers."""
        flags = _BLOCKING_SYNC if timing else _BLOCKING_SYNC | _DISABLE_TIMING
        self._events.setdefault(flags, []).append(event)

    def reset(self) -> None:
        """Destroy the context on the device for all libraries; the others have lost it, too."""
        if self.failure is None:
            self.failure = DeviceError("it was reset")
        self.driver.call("cuDevicePrimaryCtxReset", self._device)

    def _open(self) -> Handle:
        with self._opening:
            if self._handle is None:
                self._handle = self.driver.call("cuDevicePrimaryCtxRetain", self._device)
            return self._handle

    def _unfinished(self) -> Iterator[str]:
        for suspects in tuple(self._suspects):
            yield from suspects.names()


class Suspects:
    """The kernels of a queue that may be running when the context fails."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self.names = names


def _failure(error: CudaError, device: str, kernels: Iterable[str]) -> DovetailError:
    names = list(dict.fromkeys(kernels))
    if error.device_cause:
        said = f"'{device}' failed: {error.device_cause} ({error.status_name})"
        return DeviceError(f"{said}{_meanwhile(names)}", hint=_LOST_HINT)
    if len(names) == 1:
        who = f"kernel {names[0]}"
    else:
        listed = ", ".join(names)
        who = f"one of the kernels {listed}" if names else "a kernel"
    kind = KernelAssertionFailed if error.status == ASSERT else DeviceError
    return kind(f"{who} failed on '{device}': {error.cause} ({error.status_name})", hint=_LOST_HINT)


def _meanwhile(names: list[str]) -> str:
    kernels = " or ".join(f"kernel {name}" for name in names)
    return f", while it ran {kernels}" if kernels else ""
