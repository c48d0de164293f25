"""What keeps work waiting until the host has done something.

A latch is shut until it is opened, once. Drivers know it as one gate for each device that has work
behind it; threads wait for it themselves.
"""

from collections.abc import Callable
from threading import Event, Lock

from dovetail.runtime.backend import BackendGate, NativeEvent
from dovetail.runtime.device import Device


class Latch:
    """Something that the host does, or holds; work of any device can be put behind it."""

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
        """Return when it is open."""
        self._is_open.wait()

    def event_on(self, device: Device) -> tuple[NativeEvent, ...]:
        """What work of the device has to wait for: nothing if it is open."""
        with self._lock:
            if self.done:
                return ()
            if device not in self._gates:
                self._gates[device] = device.native.new_gate()
            return (self._gates[device].event,)

    def then(self, act: Callable[[], None]) -> None:
        """Have `act` called when it is open, by whoever opens it; at once if it is."""
        with self._lock:
            if not self.done:
                self._followers.append(act)
                return
        act()

    def open(self) -> None:
        """Let everything behind it go on."""
        with self._lock:
            if self.done:
                return
            self._is_open.set()
        # Nobody adds to these any more.
        try:
            for gate in self._gates.values():
                gate.open()
        finally:
            for act in self._followers:
                act()
            self._gates, self._followers = {}, []
