"""Children that stay for the next request, made up here: who is asked, and who is ended when."""

import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import PATIENCE, eventually, has_ended

from dovetail.compilers import asking
from dovetail.compilers.asking import ask_child, ask_python_child, start_python_children
from dovetail.compilers.child import Children, Finished, NoAnswer
from dovetail.compilers.staying import StayingChild

A_CHILD = """
import os, pathlib, sys, time
from dovetail.compilers.messages import receive, send
assert os.environ["TMPDIR"] == os.getcwd()
while True:
    try:
        request = receive(sys.stdin.buffer)
    except EOFError:
        break
    print("asked for", request[:20].decode(), file=sys.stderr, flush=True)
    if request == b"crash":
        os.abort()
    if request == b"hang":
        time.sleep(600)
    if request == b"busy":
        while time.process_time() < 0.3:
            pass
    if request.startswith(b"meet "):
        place = pathlib.Path(os.fsdecode(request[5:]))
        (place / str(os.getpid())).touch()
        while len(list(place.iterdir())) < 2:
            time.sleep(0.01)
    echo = b"" if request == b"where" else request
    send(sys.stdout.buffer, f"{os.getpid()} {os.getcwd()} ".encode() + echo)
    if request == b"leave":
        break
"""


def asked(
    request: bytes = b"where", *words: str, seconds: float = PATIENCE
) -> tuple[int, Path, bytes]:
    """The process that answers, where it runs, and what it repeats."""
    answer = outcome(request, *words, seconds=seconds)
    assert isinstance(answer, bytes), answer
    process, folder, echo = answer.split(b" ", 2)
    return int(process), Path(os.fsdecode(folder)), echo


def outcome(request: bytes, *words: str, seconds: float = PATIENCE) -> bytes | Finished:
    command = [sys.executable, "-c", A_CHILD, *words]
    environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return ask_child(command, request, environment=environment, seconds=seconds)


def runs(process: int) -> bool:
    return not has_ended(process)


def test_a_build_keeps_a_child_for_whoever_asks_the_same_command_next() -> None:
    children = Children()
    with children.current():
        first, folder, _ = asked()
        other, _, _ = asked(b"where", "other words")
        assert asked() == (first, folder, b"")
        assert other != first
        assert asked(b"", "other words") == asked(b"where", "other words")
    assert runs(first)
    assert folder.exists()
    children.end()
    assert not runs(first)
    assert not runs(other)
    assert not folder.exists()


def test_outside_of_a_build_a_child_ends_with_its_answer() -> None:
    (first, folder, _), (second, _, _) = asked(), asked()
    assert first != second
    assert not runs(first)
    assert not runs(second)
    assert not folder.exists()


def test_as_many_stay_as_work_at_once(tmp_path: Path) -> None:
    children = Children()

    def work(_: int) -> int:
        with children.current():
            return asked(b"meet " + os.fsencode(tmp_path))[0]

    with ThreadPoolExecutor(2) as pool:
        processes = {*pool.map(work, range(2))}
        assert len(processes) == 2
        assert {*pool.map(work, range(6))} <= processes
    children.end()


class CountedChildren(Children):
    """Knows how many were started to stay."""

    started_to_stay = 0

    def staying(self, command: Sequence[str], environment: Mapping[str, str]) -> StayingChild:
        self.started_to_stay += 1
        return super().staying(command, environment)


def _python_child(module: str, words: Sequence[str], dependencies: Sequence[str] = ()) -> list[str]:
    assert module == "a_child_by_name"
    return [sys.executable, "-c", A_CHILD, *words]


def test_who_wants_children_beforehand_shares_them_with_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "python_child", _python_child)
    children = CountedChildren()
    with children.current():
        for count, there_are in ((1, 1), (2, 2), (2, 2), (1, 2), (3, 3)):
            start_python_children("a_child_by_name", [], count)
            assert children.started_to_stay == there_are
        answer = ask_python_child("a_child_by_name", [], b"one of them")
        assert isinstance(answer, bytes)
        assert answer.endswith(b"one of them")
        assert children.started_to_stay == 3
        start_python_children("a_child_by_name", ["told otherwise"], 1)
        assert children.started_to_stay == 4
    children.end()


def test_requests_and_answers_may_be_larger_than_a_pipe() -> None:
    large = bytes(range(1, 256)) * 8000
    assert asked(large)[2] == large


def test_a_child_that_crashes_is_lost_for_its_own_request_alone() -> None:
    children = Children()
    with children.current():
        first, folder, _ = asked(b"before")
        crash = outcome(b"crash")
        assert isinstance(crash, Finished)
        assert crash.ending == "SIGABRT"
        assert crash.last_words == "asked for crash"
        assert not runs(first)
        assert not folder.exists()
        assert asked(b"after")[2] == b"after"
    children.end()


def test_what_ends_a_child_after_its_answer_does_not_hurt_the_next_request() -> None:
    children = Children()
    with children.current():
        first, _, _ = asked(b"leave")
        second, _, echo = asked(b"next")
        assert second != first
        assert echo == b"next"
    children.end()


def test_each_request_has_its_own_time() -> None:
    children = Children()
    with children.current():
        first, _, _ = asked()
        with pytest.raises(NoAnswer, match=r"still at it after 0\.2 s"):
            outcome(b"hang", seconds=0.2)
        assert not runs(first)
        assert asked()[0] != first
    children.end()


def test_the_end_of_a_build_ends_those_that_work_too() -> None:
    children = Children()

    def hang() -> bytes | Finished:
        with children.current():
            return outcome(b"hang")

    with ThreadPoolExecutor(1) as pool:
        with children.current():
            first, folder, _ = asked()
        future = pool.submit(hang)
        # Once it is asked, it says so.
        assert eventually(lambda: "hang" in (folder / "log").read_text())
        children.end()
        with pytest.raises(NoAnswer, match="was not started any more"):
            future.result(PATIENCE)
    assert not runs(first)
    assert not folder.exists()
    with children.current(), pytest.raises(NoAnswer, match="was not started any more"):
        outcome(b"late")


def test_the_time_of_children_that_stay_is_counted_once() -> None:
    children = Children()
    with children.current():
        asked(b"busy")
        assert children.take_cpu_seconds_of_idle() >= 0.3
        assert children.take_cpu_seconds_of_idle() < 0.1
    children.end()
