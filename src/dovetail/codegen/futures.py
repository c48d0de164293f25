"""Continuations of futures: work that starts when other work has finished.

No thread waits in between: a waiting task would occupy a slot of the pool that the task it waits
for may need.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def then(first: Future[_T], pool: Executor, work: Callable[[_T], _R]) -> Future[_R]:
    """Return the future result of `work`, which `pool` runs on the result of `first`.

    If `first` fails, the returned future fails with the same exception. The pool must exist until
    the returned future is done.
    """
    result = Future[_R]()
    first.add_done_callback(lambda done: _submit(done, pool, work, result))
    return result


def gather(futures: Sequence[Future[_T]]) -> Future[tuple[_T, ...]]:
    """Return all results in order, or the first failure, once all futures are done."""
    results = Future[tuple[_T, ...]]()
    left = iter(range(len(futures) - 1, -1, -1))

    def count(_: Future[_T]) -> None:
        # `next` of this iterator is atomic in CPython: two threads never get the same number.
        if next(left) == 0:
            _collect(futures, results)

    for future in futures:
        future.add_done_callback(count)
    return results


def _collect(futures: Sequence[Future[_T]], results: Future[tuple[_T, ...]]) -> None:
    try:
        results.set_result(tuple(future.result() for future in futures))
    except BaseException as error:
        results.set_exception(error)


def _submit(
    first: Future[_T], pool: Executor, work: Callable[[_T], _R], result: Future[_R]
) -> None:
    """Start the work on the first result; `result` receives the outcome or the failure."""
    try:
        argument = first.result()
        pool.submit(work, argument).add_done_callback(lambda done: _copy(done, result))
    # Every failure must reach the returned future, even that of a pool that is shut down.
    except BaseException as error:
        result.set_exception(error)


def _copy(done: Future[_R], result: Future[_R]) -> None:
    error = done.exception()
    if error is None:
        result.set_result(done.result())
    else:
        result.set_exception(error)
