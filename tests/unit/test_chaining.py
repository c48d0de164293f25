"""Work that begins when other work is done."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest
from patience import PATIENCE

from dovetail.codegen.chaining import after, together


def test_work_behind_work_needs_no_thread_that_waits() -> None:
    gate, first = Event(), Future[int]()
    with ThreadPoolExecutor(1) as pool:
        behind = after(first, pool, lambda number: number + 1)
        # The only thread is free all the while.
        pool.submit(gate.set)
        assert gate.wait(PATIENCE)
        assert not behind.done()
        first.set_result(1)
        assert behind.result(PATIENCE) == 2


def test_failures_of_both_are_failures_of_the_whole() -> None:
    first = Future[int]()
    with ThreadPoolExecutor(1) as pool:
        never = after(first, pool, str)
        first.set_exception(KeyError("a"))
        with pytest.raises(KeyError, match="a"):
            never.result(PATIENCE)
        divided = after(pool.submit(int), pool, lambda number: 1 // number)
        with pytest.raises(ZeroDivisionError):
            divided.result(PATIENCE)


def test_a_pool_that_is_gone_is_told_of() -> None:
    first = Future[int]()
    with ThreadPoolExecutor(1) as pool:
        behind = after(first, pool, str)
    first.set_result(1)
    with pytest.raises(RuntimeError, match="shutdown"):
        behind.result(PATIENCE)


def test_all_together_in_their_order() -> None:
    each = [Future[int]() for _ in range(3)]
    whole = together(each)
    for number in (2, 0):
        each[number].set_result(number)
    assert not whole.done()
    each[1].set_result(1)
    assert whole.result(PATIENCE) == (0, 1, 2)


def test_one_failure_is_told_when_all_are_done() -> None:
    each = [Future[int]() for _ in range(2)]
    whole = together(each)
    each[0].set_exception(KeyError("a"))
    assert not whole.done()
    each[1].set_result(1)
    with pytest.raises(KeyError, match="a"):
        whole.result(PATIENCE)
