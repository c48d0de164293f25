"""One run of code generators over the images of a program."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

_Made = TypeVar("_Made")


class Once:
    """What is made once, by whichever generator asks first, and then shared."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._made: dict[Hashable, object] = {}

    def get(self, key: Hashable, make: "Callable[[], Future[_Made]]") -> "Future[_Made]":
        """Return what was begun under `key` before, or else begin it with `make`.

        A key has one type of result, since it names who makes it.
        """
        with self._asking:
            if key not in self._made:
                self._made[key] = make()
            return cast("Future[_Made]", self._made[key])


class CodegenSession(NamedTuple):
    """Where generators work, and what they share of each image."""

    pool: "Executor"
    shared: Once
