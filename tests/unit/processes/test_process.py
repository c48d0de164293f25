"""Running programs to their end, or killing them."""

import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import PATIENCE, eventually, has_ended

import dovetail
from dovetail.errors import ToolFailed
from dovetail.processes.process import Finished, Processes, TimedOut
from dovetail.processes.response_file import MAX_COMMAND_BYTES
from dovetail.processes.running_tools import time_limit

PACKAGE = Path(dovetail.__file__).parent

HANGS = 'sleep 600 & echo $! > "$0"; wait'
"""A script that starts another process and writes its PID."""


def hanging(number: Path) -> list[str]:
    return ["/bin/sh", "-c", HANGS, str(number)]


def written_number(file: Path) -> int:
    assert eventually(lambda: file.exists() and file.read_text().endswith("\n"))
    return int(file.read_text())


def test_nothing_else_starts_processes() -> None:
    """Time limits, environment and clean-up are the same for all processes."""
    starting = re.compile(
        r"\bsubprocess\b|\bmultiprocessing\b|\bos\.(?:fork|posix_spawn|system|popen)"
    )
    sources = (path for path in PACKAGE.rglob("*.py") if starting.search(path.read_text()))
    assert {path.parent.name for path in sources} == {"processes"}


def test_both_streams_are_read_and_the_folder_is_used(tmp_path: Path) -> None:
    script = 'pwd; cat; echo "$LC_ALL" >&2; echo bad >&2; exit 3'
    command = ["/bin/sh", "-c", script]
    finished = Processes().run(command, stdin=b"given\n", folder=tmp_path)
    assert finished == Finished(3, f"{tmp_path}\ngiven\n".encode(), b"C\nbad\n")
    assert finished.log == f"{tmp_path}\ngiven\nC\nbad"
    assert finished.messages == "C\nbad"
    assert finished.failure("sh") == f"sh failed (status 3):\n{finished.log}"


@pytest.mark.parametrize(
    ("status", "termination"),
    [
        (0, "status 0"),
        (-signal.SIGSEGV, "SIGSEGV"),
        (-signal.SIGKILL, "SIGKILL, which the system sends when memory runs out"),
        (-(signal.SIGRTMIN + 1), f"signal {signal.SIGRTMIN + 1}"),
    ],
)
def test_terminations(status: int, termination: str) -> None:
    assert Finished(status).termination == termination


def test_a_signal_is_the_status() -> None:
    finished = Processes().run(["/bin/sh", "-c", "kill -SEGV $$"])
    assert finished == Finished(-signal.SIGSEGV)
    assert finished.failure("sh") == "sh failed (SIGSEGV); it printed no message"


def test_a_program_that_hangs_is_killed_with_its_descendants(tmp_path: Path) -> None:
    with pytest.raises(TimedOut, match=r"^sh was still running after 0\.5 s and was killed$"):
        Processes().run(hanging(tmp_path / "number"), seconds=0.5)
    number = written_number(tmp_path / "number")
    assert eventually(lambda: has_ended(number))


def test_the_setting_is_named_where_it_is_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", "0.1")
    with pytest.raises(TimedOut) as caught:
        Processes().run(["sleep", "600"], seconds=time_limit())
    assert "set DOVETAIL_TOOL_TIMEOUT to more seconds" in caught.value.hint


def test_a_program_that_cannot_start() -> None:
    with pytest.raises(ToolFailed, match="cannot start '/no/such/compiler': No such file"):
        Processes().run(["/no/such/compiler"])


def test_all_are_killed_together(tmp_path: Path) -> None:
    processes = Processes()

    def hang(number: int) -> Finished:
        return processes.run(hanging(tmp_path / str(number)), seconds=PATIENCE)

    with ThreadPoolExecutor(2) as threads:
        futures = [threads.submit(hang, number) for number in range(2)]
        started = [written_number(tmp_path / str(number)) for number in range(2)]
        processes.end()
        assert [future.result(PATIENCE).status for future in futures] == [-signal.SIGKILL] * 2
    assert all(eventually(lambda each=each: has_ended(each)) for each in started)
    with pytest.raises(ToolFailed, match="'true' was not started, because the build has ended"):
        processes.run(["true"])


def test_the_program_runs_meanwhile(tmp_path: Path) -> None:
    """It succeeds only if the file appears while it runs."""
    awaited = tmp_path / "awaited"
    script = 'for i in $(seq 1000); do if [ -e "$0" ]; then exit 0; fi; sleep 0.01; done; exit 1'
    command = ("/bin/sh", "-c", script, str(awaited))
    assert Processes().run(command, meanwhile=awaited.touch).status == 0


def test_a_failure_meanwhile_ends_the_program(tmp_path: Path) -> None:
    def fail() -> None:
        written_number(tmp_path / "number")
        raise RuntimeError("no such module")

    with pytest.raises(RuntimeError, match="no such module"):
        Processes().run(hanging(tmp_path / "number"), meanwhile=fail)
    number = written_number(tmp_path / "number")
    assert eventually(lambda: has_ended(number))


@pytest.mark.parametrize("is_there", [True, False])
def test_a_missing_output(is_there: bool, tmp_path: Path) -> None:
    made = tmp_path / "made"
    if is_there:
        made.touch()
    message = f"true ended without an error, but did not write '{made}'"
    with pytest.raises(ToolFailed, match=message):
        Processes().run(["true"], outputs=[made])
    with pytest.raises(ToolFailed, match="did not write 'made'"):
        Processes().run(["true"], folder=tmp_path, outputs=[Path("made")])
    assert Processes().run(["false"], outputs=[made]).status == 1


def test_a_command_that_is_too_long_becomes_a_response_file() -> None:
    command = ["/bin/echo", "x" * MAX_COMMAND_BYTES]
    assert Processes().run(command).output.startswith(b"xxx")
    assert Processes().run(command, response_file=True).output.startswith(b"@/proc/self/fd/")


BUSY = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"]


def test_cpu_time_is_that_of_the_thread_or_of_others() -> None:
    processes = Processes()
    processes.time_thread()
    with ThreadPoolExecutor(1) as threads:
        threads.submit(processes.run, BUSY).result()
    assert processes.take_cpu_seconds_of_others() >= 0.3
    processes.run(BUSY)
    assert processes.take_cpu_seconds_of_others() < 0.3
    assert processes.take_cpu_seconds() >= 0.3
    assert processes.take_cpu_seconds() == 0
