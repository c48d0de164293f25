"""Handles: numbers by which host code refers to the runtime's objects."""

from itertools import count
from typing import TypeVar

from dovetail.runtime.host.errc import Errc, HostError

T = TypeVar("T")

_NOUNS = {"HostQueue": "queue", "QueueWork": "event"}
"""The names of classes in messages, if not their own."""

NONE = 0
"""The handle that refers to no object."""


class Handles:
    """Objects by handle. Handles are not reused, so stale ones are detected.

    Threads share it without a lock, since each operation on a dictionary or counter is atomic.
    """

    def __init__(self) -> None:
        self.objects: dict[int, object] = {}
        """For launches and waits, which check the type themselves to save a call."""
        self._numbers = count(NONE + 1)

    def add(self, thing: object) -> int:
        """Store an object until it is removed; return its handle."""
        handle = next(self._numbers)
        self.objects[handle] = thing
        return handle

    def get(self, handle: int, kind: type[T]) -> T:
        """Return the object if it has that type; otherwise raise `errc::invalid`."""
        thing = self.objects.get(handle)
        if isinstance(thing, kind):
            return thing
        raise _unknown(handle, kind)

    def remove(self, handle: int, kind: type[T]) -> T:
        """Remove the handle; return the object, as `get` does."""
        thing = self.objects.get(handle)
        if isinstance(thing, kind) and self.objects.pop(handle, None) is not None:
            return thing
        raise _unknown(handle, kind)


def _unknown(handle: int, kind: type[object]) -> HostError:
    noun = _NOUNS.get(kind.__name__, kind.__name__.lower())
    return HostError(Errc.INVALID, f"there is no {noun} with handle {handle}")
