"""What code generators share in one build step: a thread pool, and the SPIR-V of each image."""

from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Generic, NamedTuple, Self, TypeVar

_T = TypeVar("_T")


class EmittedSpirv(NamedTuple):
    """The valid SPIR-V of an image."""

    code: bytes
    without_hints: bytes
    """The same without hints for hardware synthesis, which compilers for CPUs and GPUs reject."""


class FutureCache(Generic[_T]):
    """Futures by key. The first caller that asks for a key starts the work."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._futures: dict[Hashable, Future[_T]] = {}

    def get(self, key: Hashable, start: Callable[[], Future[_T]]) -> Future[_T]:
        """Return the future of `key`; `start` creates it if there is none."""
        with self._lock:
            if key not in self._futures:
                self._futures[key] = start()
            return self._futures[key]


class CodegenSession(NamedTuple):
    """The thread pool of a build step's code generators, and the results that they share."""

    pool: Executor
    emitted: FutureCache[EmittedSpirv]
    """By image."""
    specialised: FutureCache[bytes]
    """SPIR-V for native compilers, by image and values of its constants."""

    @classmethod
    def on(cls, pool: Executor) -> Self:
        """Return a new session that works in `pool`."""
        return cls(pool, FutureCache(), FutureCache())
