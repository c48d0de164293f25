"""Work that begins when other work is done, without a thread that waits for it.

Who waited inside of a pool would hold a place that the awaited work may need.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def after(first: Future[_T], pool: Executor, work: Callable[[_T], _R]) -> Future[_R]:
    """What `work`, done in `pool`, makes of what `first` made; its failure is the failure of both.

    The pool must be there until what is returned is done.
    """
    made = Future[_R]()
    first.add_done_callback(lambda done: _go_on(done, pool, work, made))
    return made


def together(each: Sequence[Future[_T]]) -> Future[tuple[_T, ...]]:
    """What all of them make, in their order; the first failure among them, once all are done."""
    made = Future[tuple[_T, ...]]()
    left = iter(range(len(each) - 1, -1, -1))

    def count(_: Future[_T]) -> None:
        # One call of `next` is one step of Python's, so two threads cannot get the same number.
        if next(left) == 0:
            _collect(each, made)

    for future in each:
        future.add_done_callback(count)
    return made


def _collect(each: Sequence[Future[_T]], made: Future[tuple[_T, ...]]) -> None:
    try:
        made.set_result(tuple(future.result() for future in each))
    except BaseException as error:
        made.set_exception(error)


def _go_on(first: Future[_T], pool: Executor, work: Callable[[_T], _R], made: Future[_R]) -> None:
    try:
        given = first.result()
        pool.submit(work, given).add_done_callback(lambda done: _copy(done, made))
    # Whoever waits for the rest must hear of anything, a pool that takes no more work included.
    except BaseException as error:
        made.set_exception(error)


def _copy(done: Future[_R], made: Future[_R]) -> None:
    error = done.exception()
    if error is None:
        made.set_result(done.result())
    else:
        made.set_exception(error)
