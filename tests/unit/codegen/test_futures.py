"""Continuations of futures."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest
from patience import PATIENCE

from dovetail.codegen.futures import gather, then


def test_continuations_do_not_block_a_thread() -> None:
    gate, first = Event(), Future[int]()
    with ThreadPoolExecutor(1) as pool:
        second = then(first, pool, lambda number: number + 1)
        # The only thread is free meanwhile.
        pool.submit(gate.set)
        assert gate.wait(PATIENCE)
        assert not second.done()
        first.set_result(1)
        assert second.result(PATIENCE) == 2


def test_failures_of_either_are_propagated() -> None:
    first = Future[int]()
    with ThreadPoolExecutor(1) as pool:
        failed = then(first, pool, str)
        first.set_exception(KeyError("a"))
        with pytest.raises(KeyError, match="a"):
            failed.result(PATIENCE)
        divided = then(pool.submit(int), pool, lambda number: 1 // number)
        with pytest.raises(ZeroDivisionError):
            divided.result(PATIENCE)


def test_a_pool_that_is_shut_down_is_an_error() -> None:
    first = Future[int]()
    with ThreadPoolExecutor(1) as pool:
        second = then(first, pool, str)
    first.set_result(1)
    with pytest.raises(RuntimeError, match="shutdown"):
        second.result(PATIENCE)


def test_results_are_gathered_in_order() -> None:
    each = [Future[int]() for _ in range(3)]
    results = gather(each)
    for number in (2, 0):
        each[number].set_result(number)
    assert not results.done()
    each[1].set_result(1)
    assert results.result(PATIENCE) == (0, 1, 2)


def test_a_failure_is_raised_once_all_are_done() -> None:
    each = [Future[int]() for _ in range(2)]
    results = gather(each)
    each[0].set_exception(KeyError("a"))
    assert not results.done()
    each[1].set_result(1)
    with pytest.raises(KeyError, match="a"):
        results.result(PATIENCE)
