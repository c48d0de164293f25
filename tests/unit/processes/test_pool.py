"""Worker pools: which worker answers a request, and when workers are started and killed."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import PATIENCE, eventually, has_ended

from dovetail.errors import ToolFailed
from dovetail.processes.pool import Worker, WorkerCommand, WorkerPool, current_pool
from dovetail.processes.process import Finished, Processes

A_WORKER = """
import os, pathlib, sys, time
from dovetail.processes.messages import receive, send
is_reusable = os.environ.get("TMPDIR") == os.getcwd()
assert is_reusable == ("once" not in sys.argv)
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
    """Return the PID of the worker, its working directory, and the request that it echoes."""
    answer = outcome(request, *words, seconds=seconds)
    assert isinstance(answer, bytes), answer
    process, folder, echo = answer.split(b" ", 2)
    return int(process), Path(os.fsdecode(folder)), echo


def outcome(request: bytes, *words: str, seconds: float = PATIENCE) -> bytes | Finished:
    return current_pool().ask(worker(*words), request, seconds=seconds)


def worker(*words: str) -> WorkerCommand:
    command = (sys.executable, "-c", A_WORKER, *words)
    environment = (("PYTHONPATH", os.pathsep.join(sys.path)),)
    return WorkerCommand("mock", command, environment, is_reusable="once" not in words)


def runs(process: int) -> bool:
    return not has_ended(process)


def test_a_build_reuses_workers_with_the_same_command() -> None:
    pool = WorkerPool()
    with pool.current():
        first, folder, _ = asked()
        other, _, _ = asked(b"where", "other words")
        assert asked() == (first, folder, b"")
        assert other != first
        assert asked(b"", "other words") == asked(b"where", "other words")
    assert runs(first)
    assert folder.exists()
    pool.end()
    assert not runs(first)
    assert not runs(other)
    assert not folder.exists()


def test_outside_of_a_build_a_worker_ends_with_its_answer() -> None:
    (first, folder, _), (second, _, _) = asked(), asked()
    assert first != second
    assert not runs(first)
    assert not runs(second)
    assert not folder.exists()


def test_there_are_as_many_workers_as_concurrent_requests(tmp_path: Path) -> None:
    pool = WorkerPool()

    def work(_: int) -> int:
        with pool.current():
            return asked(b"meet " + os.fsencode(tmp_path))[0]

    with ThreadPoolExecutor(2) as threads:
        processes = {*threads.map(work, range(2))}
        assert len(processes) == 2
        assert {*threads.map(work, range(6))} <= processes
    pool.end()


class CountingPool(WorkerPool):
    """Counts the workers that were started."""

    started_workers = 0

    def new_worker(self, command: WorkerCommand) -> Worker:
        self.started_workers += 1
        return super().new_worker(command)


def test_prepared_workers_are_shared() -> None:
    pool = CountingPool()
    for count, there_are in ((1, 1), (2, 2), (2, 2), (1, 2), (3, 3)):
        pool.prepare(worker(), count)
        assert pool.started_workers == there_are
    answer = pool.ask(worker(), b"one of them", seconds=PATIENCE)
    assert isinstance(answer, bytes)
    assert answer.endswith(b"one of them")
    assert pool.started_workers == 3
    pool.prepare(worker("told otherwise"), 1)
    assert pool.started_workers == 4
    pool.end()


def test_outside_of_a_build_no_worker_is_prepared() -> None:
    pool = CountingPool(reuses_workers=False)
    pool.prepare(worker(), 2)
    assert pool.started_workers == 0


def test_a_worker_for_one_request_works_where_this_process_does() -> None:
    pool = WorkerPool()
    with pool.current():
        first, folder, _ = asked(b"where", "once")
        second, _, _ = asked(b"where", "once")
    assert folder == Path.cwd()
    assert first != second
    assert not runs(first)
    assert not runs(second)
    pool.end()


def test_requests_and_answers_may_be_larger_than_a_pipe() -> None:
    large = bytes(range(1, 256)) * 8000
    assert asked(large)[2] == large


def test_a_crash_affects_only_one_request() -> None:
    pool = WorkerPool()
    with pool.current():
        first, folder, _ = asked(b"before")
        crash = outcome(b"crash")
        assert isinstance(crash, Finished)
        assert crash.termination == "SIGABRT"
        assert crash.log_excerpt == "asked for crash"
        assert not runs(first)
        assert not folder.exists()
        assert asked(b"after")[2] == b"after"
    pool.end()


def test_a_worker_that_ended_after_its_answer_is_replaced() -> None:
    pool = WorkerPool()
    with pool.current():
        first, _, _ = asked(b"leave")
        second, _, echo = asked(b"next")
        assert second != first
        assert echo == b"next"
    pool.end()


def test_each_request_has_a_time_limit() -> None:
    pool = WorkerPool()
    with pool.current():
        first, _, _ = asked()
        with pytest.raises(ToolFailed, match=r"mock was still running after 0\.2 s"):
            outcome(b"hang", seconds=0.2)
        assert not runs(first)
        assert asked()[0] != first
    pool.end()


def test_the_end_of_a_build_kills_busy_workers_too() -> None:
    pool = WorkerPool()

    def hang() -> bytes | Finished:
        with pool.current():
            return outcome(b"hang")

    with ThreadPoolExecutor(1) as threads:
        with pool.current():
            first, folder, _ = asked()
        future = threads.submit(hang)
        # It logs each request.
        assert eventually(lambda: b"hang" in Path(f"/proc/{first}/fd/2").read_bytes())
        pool.end()
        with pytest.raises(ToolFailed, match="was not started, because the build has ended"):
            future.result(PATIENCE)
    assert not runs(first)
    assert not folder.exists()
    with (
        pool.current(),
        pytest.raises(ToolFailed, match="was not started, because the build has ended"),
    ):
        outcome(b"late")


def test_the_cpu_time_of_idle_workers_is_counted_once() -> None:
    pool = WorkerPool()
    with pool.current():
        asked(b"busy")
        assert pool.take_cpu_seconds_of_idle() >= 0.3
        assert pool.take_cpu_seconds_of_idle() < 0.1
    pool.end()


def test_only_the_end_of_a_long_log_is_read() -> None:
    command = (sys.executable, "-c", "import sys; sys.exit('x' * 1_000_000 + 'the end')")
    crash = current_pool().ask(WorkerCommand("mock", command), b"", seconds=PATIENCE)
    assert isinstance(crash, Finished)
    assert crash.status == 1
    assert len(crash.errors) < 100_000
    assert crash.log_excerpt.endswith("the end")


def test_a_worker_that_fails_before_its_first_request_says_why() -> None:
    command = WorkerCommand("mock", (sys.executable, "-c", "import sys; sys.exit('no memory')"))
    failing = Worker(command, Processes())
    # Not wait(): the process belongs to the worker, which waits for it itself.
    assert eventually(lambda: failing.log() == b"no memory\n")
    crash = failing.ask(b"", seconds=PATIENCE)
    failing.close()
    assert crash == Finished(1, errors=b"no memory\n")


A_SERVER = """
import os, sys
from dovetail.processes.messages import answer_stream, serve
answers = answer_stream()
print("loaded", flush=True)

def answer(request):
    os.write(1, b"noise ")
    if request == b"exit":
        os._exit(0)
    return request.upper(), request != b"last"

serve(answers, answer)
"""


def test_what_a_library_prints_is_not_part_of_an_answer() -> None:
    environment = (("PYTHONPATH", os.pathsep.join(sys.path)),)
    command = WorkerCommand("mock", (sys.executable, "-c", A_SERVER), environment)
    pool = CountingPool()
    for request, count in ((b"one", 1), (b"last", 1), (b"three", 2)):
        assert pool.ask(command, request, seconds=PATIENCE) == request.upper()
        assert pool.started_workers == count, "it ends after its last answer"
    # A library may also end the process; the result has the worker's output.
    assert pool.ask(command, b"exit", seconds=PATIENCE) == Finished(0, errors=b"loaded\nnoise ")
    pool.end()
