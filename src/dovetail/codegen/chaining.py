"""Work that begins when other work is done, without a thread that waits for it.

Who waited inside of a pool would hold a place that the awaited work may need.
"""

from collections.abc import Callable
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
