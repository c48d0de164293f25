"""`-ftime-report` and `-j`."""

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from patience import PATIENCE, eventually

from dovetail.cli.main import main
from dovetail.driver import BuildRequest, dry_run
from dovetail.driver.job_listener import Spent
from dovetail.driver.session import Stopwatch
from dovetail.driver.slots import SlotExecutor, Slots
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.passes import Passes
from dovetail.driver.steps.post_link import PostLink
from dovetail.driver.time_report import busy_seconds
from dovetail.errors import CompileError
from dovetail.frontend import Flags, Source, Tools
from dovetail.processes.pool import WorkerPool
from dovetail.targets import default_table

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.cpp").write_text(f"int {name}() {{ return 1; }}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


def test_a_table_for_people(capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "b.cpp", "-ftime-report") == 0
    head, titles, *rows = capsys.readouterr().err.splitlines()
    assert head == "dovetail: where time went, in seconds"
    assert titles.split() == ["wall", "cpu", "share", "step"]
    steps = [row.split("%  ", 1) for row in rows if "%" in row]
    assert {name for _, name in steps} >= {"front-end a.cpp", "host compilation b.cpp", "files"}
    walls = [float(row.split()[0]) for row, _ in steps]
    assert walls == sorted(walls, reverse=True)
    total = next(float(row.split()[0]) for row in rows if row.endswith(f"of {len(steps)} steps"))
    assert total == pytest.approx(sum(walls), abs=0.01)
    assert re.match(r" +[\d.]+ +elapsed$", rows[-1])


def test_json_for_programs(capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "-ftime-report=json") == 0
    report = json.loads(capsys.readouterr().err)
    steps = {step["step"]: step for step in report["steps"]}
    assert 0 < steps["front-end a.cpp"]["cpu"] <= steps["front-end a.cpp"]["wall"] * 2
    assert 0 < report["busy"] <= report["elapsed"]


class LongCompilers(WorkerPool):
    """Compilers that have taken 100 s so far, and wait."""

    def take_cpu_seconds_of_idle(self) -> float:
        return 100.0


def test_compilers_of_images_count_where_they_compile(folder: Path) -> None:
    """They come up earlier, while others work."""
    targets = (default_table()["intel_gpu_skl"],)
    request = BuildRequest((Source.from_text(""),), Flags(targets=targets))
    jobs = {type(job.step): job for job in dry_run(request, folder)}
    spent = {phase: Stopwatch(job, LongCompilers()).spent().cpu for phase, job in jobs.items()}
    assert [phase for phase, cpu in spent.items() if cpu >= 100] == [CodeGeneration]
    assert {DeviceCompile, Passes, PostLink} <= spent.keys()


def test_a_failed_build_says_where_its_time_went(folder: Path, capsys: Capture) -> None:
    (folder / "a.cpp").write_text("int a() { return b; }\n")
    assert cxx("-c", "a.cpp", "b.cpp", "-ftime-report") == 1
    assert "where time went" in capsys.readouterr().err


def test_clangs_own_report_is_clangs(capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "-Xclang", "-ftime-report") == 0
    text = capsys.readouterr().err
    assert "Pass execution timing report" in text
    assert "dovetail: where time went" not in text


def test_seconds_in_which_anything_ran() -> None:
    spent = [Spent(0.0, 2.0, 0), Spent(1.0, 3.0, 0), Spent(1.5, 0.5, 0), Spent(10.0, 1.0, 0)]
    assert busy_seconds(spent) == 5.0
    assert busy_seconds([]) == 0


@pytest.mark.parametrize("words", [("-j1",), ("-j", "1")])
def test_one_at_a_time(words: tuple[str, ...], capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "b.cpp", "c.cpp", *words, "-ftime-report=json") == 0
    steps = json.loads(capsys.readouterr().err)["steps"]
    times = sorted((step["start"], step["start"] + step["wall"]) for step in steps)
    for (_, end), (start, _) in pairwise(times):
        assert end <= start + 1e-5


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", "²"])
def test_numbers_that_make_no_sense(value: str, capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", f"-j{value}") == 2
    assert "expected a positive number" in capsys.readouterr().err


def test_slots_bound_jobs_and_what_they_wait_for() -> None:
    """Also where each job has a pool of its own, as the generation of code has."""
    slots = Slots(2)
    lock, two_have_met = threading.Lock(), threading.Event()
    at_work, most = 0, 0

    def work() -> None:
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
            if at_work == 2:
                two_have_met.set()
        two_have_met.wait(PATIENCE)
        time.sleep(0.01)
        with lock:
            at_work -= 1

    def job() -> None:
        with slots.held():
            with ThreadPoolExecutor(4) as pool:
                futures = [SlotExecutor(pool, slots).submit(work) for _ in range(4)]
                with slots.lent():
                    for future in futures:
                        future.result()
            work()

    with ThreadPoolExecutor(8) as pool:
        for future in [pool.submit(job) for _ in range(4)]:
            future.result()
    assert most == 2


def test_programs_are_timed_and_heard() -> None:
    tools, processes = Tools(), WorkerPool()
    processes.time_thread()
    with processes.current():
        made = tools.run(
            ["sh", "-c", "cat; echo said >&2; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"],
            b"in",
        )
    assert (made.output, made.messages) == (b"in", "said")
    assert 0 < processes.take_cpu_seconds() < 10
    assert processes.take_cpu_seconds() == 0
    with pytest.raises(CompileError, match=r"was ended by SIGKILL, .* memory runs out\nlast words"):
        tools.run(["sh", "-c", "echo last words >&2; kill -9 $$"])
    with pytest.raises(CompileError, match="'false' failed without a message"):
        tools.run(["false"])


def test_programs_are_ended_together(tmp_path: Path) -> None:
    processes = WorkerPool()

    def run(number: int) -> None:
        with processes.current():
            Tools().run(["sh", "-c", f"touch {tmp_path}/{number}; exec sleep 600"])

    with ThreadPoolExecutor(3) as pool:
        futures = [pool.submit(run, number) for number in range(3)]
        assert eventually(lambda: all((tmp_path / str(n)).exists() for n in range(3)))
        processes.end()
        for future in futures:
            with pytest.raises(CompileError):
                future.result(timeout=PATIENCE)
