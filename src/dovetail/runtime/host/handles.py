"""Numbers that stand for the runtime's objects in host code."""

from itertools import count
from typing import TypeVar

from dovetail.runtime.host.errc import Errc, HostError

T = TypeVar("T")

_NOUNS = {"HostQueue": "queue", "QueueWork": "event"}
"""How messages call classes, if not by their names."""

NONE = 0
"""The handle of nothing."""


class Handles:
    """Objects by number. A number is used once, so that a stale one is found out.

    Threads share it without a lock: each method is one step of a dictionary or a counter.
    """

    def __init__(self) -> None:
        self.objects: dict[int, object] = {}
        """For those who are in a hurry, and look themselves whether something is of their kind."""
        self._numbers = count(NONE + 1)

    def add(self, thing: object) -> int:
        """A new handle, which keeps the object alive until it is removed."""
        handle = next(self._numbers)
        self.objects[handle] = thing
        return handle

    def get(self, handle: int, kind: type[T]) -> T:
        """The object of that kind, or `errc::invalid`."""
        thing = self.objects.get(handle)
        if isinstance(thing, kind):
            return thing
        raise _unknown(handle, kind)

    def remove(self, handle: int, kind: type[T]) -> T:
        """Forget the handle; the object of that kind."""
        thing = self.objects.get(handle)
        if isinstance(thing, kind) and self.objects.pop(handle, None) is not None:
            return thing
        raise _unknown(handle, kind)


def _unknown(handle: int, kind: type[object]) -> HostError:
    noun = _NOUNS.get(kind.__name__, kind.__name__.lower())
    return HostError(Errc.INVALID, f"there is no {noun} with handle {handle}")
