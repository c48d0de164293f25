"""The limit on parallel work: `-j`.

Jobs run in one thread pool, and the compilers of images in others. Each thread needs a slot while
it works.
"""

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Slots:
    """A semaphore with a slot for each thread that works."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = BoundedSemaphore(count)

    @contextmanager
    def held(self) -> Generator[None]:
        """Wait for a slot, and occupy it in this context."""
        with self._free:
            yield

    @contextmanager
    def lent(self) -> Generator[None]:
        """Release this thread's slot in this context, in which it only waits for other threads."""
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()


class SlotExecutor(Executor):
    """An executor whose calls occupy slots, and run in the context that `within` returns."""

    def __init__(
        self,
        pool: Executor,
        slots: Slots,
        within: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._pool = pool
        self._slots = slots
        self._within = within

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> "Future[_T]":
        def with_slot() -> _T:
            with self._slots.held(), self._within():
                return fn(*args, **kwargs)

        return self._pool.submit(with_slot)
