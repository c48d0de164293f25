"""Times of launches, and profiles of blocks."""

import numpy as np
import pytest

import dovetail
from dovetail.errors import ArgumentError, UsageError
from dovetail.runtime import Program, Queue

pytestmark = pytest.mark.device


def test_times_of_a_launch(queue: Queue, program: Program) -> None:
    measured, data = Queue(queue.device, profiling=True), np.zeros(4096, "i4")
    event = measured.parallel_for(program["fill"], 4096, data, 1)
    times = event.profile
    assert data[0] == 1, "it waits for the work"
    assert times.queued <= times.submitted <= times.started <= times.ended
    assert times.duration == times.ended - times.started > 0
    later = measured.parallel_for(program["fill"], 4096, data, 2).profile
    assert later.started >= times.ended
    assert event.profile == times
    assert measured.profiling
    assert not queue.profiling


def test_without_profiling_there_are_no_times(queue: Queue, program: Program) -> None:
    event = queue.single_task(program["once"], np.zeros(1, "i4"), 1)
    with pytest.raises(UsageError, match=r"created without profiling\n.*profiling=True") as raised:
        _ = event.profile
    assert "dovetail.profile()" in raised.value.hint
    queue.wait()


def test_a_profile_has_all_launches_of_a_block(queue: Queue, program: Program) -> None:
    data, one = np.zeros(64, "i4"), np.ones(64, "i4")
    measured = Queue(queue.device, profiling=True)
    with dovetail.profile() as outer:
        queue.parallel_for(program["fill"], 64, data, 5)
        with dovetail.profile() as inner:
            for _ in range(2):
                queue.parallel_for(program["add"], 64, data, one)
            last = queue.parallel_for(program["add"], 64, data, one)
            Queue(queue.device).single_task(program["once"], np.zeros(1, "i4"), 1)
            measured.single_task(program["once"], np.zeros(1, "i4"), 1)
        assert data.tolist() == [8] * 64, "the block waits at its end"
        queue.parallel_for(program["fill"], 64, data, 5)
    queue.parallel_for(program["fill"], 64, data, 6)
    queue.wait()
    assert last.profile.duration > 0, "also after the block"
    assert {row.kernel: row.calls for row in inner.rows} == {"add": 3, "once": 2}
    assert {row.kernel: row.calls for row in outer.rows} == {"add": 3, "once": 2, "fill": 2}
    rows = outer.rows
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert sum(row.share for row in rows) == pytest.approx(1)
    for row in rows:
        assert 0 < row.min <= row.mean <= row.max <= row.total
    assert repr(outer) == "<Profile of 7 launches>"
    heading, *lines = str(outer).splitlines()
    assert heading.split() == ["kernel", "calls", "total", "mean", "min", "max", "share"]
    assert [line.split()[:2] for line in lines] == [[row.kernel, str(row.calls)] for row in rows]


def test_launches_that_were_refused_are_not_in_profiles(queue: Queue, program: Program) -> None:
    with dovetail.profile() as profile:
        with pytest.raises(ArgumentError):
            queue.single_task(program["once"], np.zeros(1, "i4"), "word")
        with pytest.raises(UsageError, match="already running"), profile:
            pass
    assert profile.rows == []
    assert profile.table() == "no kernels were launched"


def test_a_queue_is_as_before_after_a_profile(queue: Queue, program: Program) -> None:
    with dovetail.profile():
        pass
    event = queue.single_task(program["once"], np.zeros(1, "i4"), 1)
    with pytest.raises(UsageError):
        _ = event.profile
    queue.wait()


def test_launches_with_arrays_of_others_count_once(queue: Queue, program: Program) -> None:
    with dovetail.profile() as profile:
        queue.parallel_for(program["add"], 3, bytearray(12), np.ones(3, "i4"))
    assert [(row.kernel, row.calls) for row in profile.rows] == [("add", 1)]
