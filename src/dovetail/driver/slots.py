"""How many things are done at once: `-j`.

Jobs run in one pool of threads and the compilers of images in others, and all of them count: each
takes a slot while it works.
"""

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import BoundedSemaphore
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Slots:
    """A number of slots, each for one thread that works."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._free = BoundedSemaphore(count)

    @contextmanager
    def held(self) -> Generator[None]:
        """Wait for a slot, and keep it for as long as this lasts."""
        with self._free:
            yield

    @contextmanager
    def lent(self) -> Generator[None]:
        """Let others have this thread's slot while it only waits for them."""
        self._free.release()
        try:
            yield
        finally:
            self._free.acquire()


class InTurn(Executor):
    """A pool whose work takes slots, and is done inside of what `within` makes."""

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
        def in_turn() -> _T:
            with self._slots.held(), self._within():
                return fn(*args, **kwargs)

        return self._pool.submit(in_turn)
