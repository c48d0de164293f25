"""Latches, with which work waits for the host.

A latch is opened once. For drivers, it is one gate for each device whose work waits for it; threads
wait for it directly.
"""

from collections.abc import Callable
from threading import Event, Lock

from dovetail.runtime.backend import BackendGate, NativeEvent
from dovetail.runtime.device import Device


class Latch:
    """An action or access of the host that work of any device can wait for."""

    __slots__ = ("_followers", "_gates", "_is_open", "_lock")

    def __init__(self) -> None:
        self._is_open = Event()
        self._gates: dict[Device, BackendGate] = {}
        self._followers: list[Callable[[], None]] = []
        self._lock = Lock()

    @property
    def done(self) -> bool:
        """Whether it is open."""
        return self._is_open.is_set()

    def settle(self) -> None:
        """Wait until it is open."""
        self._is_open.wait()

    def event_on(self, device: Device) -> tuple[NativeEvent, ...]:
        """Return the events that work of a device has to wait for; none if the latch is open.

        The first call for a device creates its gate.
        """
        with self._lock:
            if self.done:
                return ()
            if device not in self._gates:
                self._gates[device] = device.native.new_gate()
            return (self._gates[device].event,)

    def then(self, act: Callable[[], None]) -> None:
        """Call `act` in the thread that opens the latch; now if it is open."""
        with self._lock:
            if not self.done:
                self._followers.append(act)
                return
        act()

    def open(self) -> None:
        """Open it, for drivers and threads."""
        with self._lock:
            if self.done:
                return
            self._is_open.set()
        # No thread adds to these any more.
        try:
            for gate in self._gates.values():
                gate.open()
        finally:
            for act in self._followers:
                act()
            self._gates, self._followers = {}, []
