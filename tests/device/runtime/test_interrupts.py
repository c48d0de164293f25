"""Ctrl-C while Python waits for a device: real processes, real signals, real kernels."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dovetail.runtime import Program

pytestmark = pytest.mark.device

_FOREVER = 2_000_000_000
"""Rounds that take many seconds."""

_BEGIN = f"""\
import sys, threading, numpy, dovetail.runtime as rt
program, queue = rt.load(sys.argv[1]), rt.Queue()
data = numpy.zeros(3, "i4")
memory = queue.alloc(1 << 20, "i4")
for _ in range(20):  # so that everything is known to be quick
    queue.single_task(program["slow"], data, 10).wait()
event = queue.single_task(program["slow"], data, {_FOREVER})
"""


class _Waiting:
    """A script that was started and says that it is about to wait."""

    def __init__(self, program: Program, folder: Path, script: str) -> None:
        program.save(folder / "program")
        command = [sys.executable, "-c", _BEGIN + script, str(folder / "program")]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "waiting\n"
        # So that it really is in the driver by then.
        time.sleep(0.3)

    def interrupt(self) -> tuple[int, str, str, float]:
        """Press Ctrl-C; how the process ends, and how soon."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, out, err, time.monotonic() - start


@pytest.mark.parametrize(
    "wait",
    [
        "event.wait()",
        "queue.wait()",
        # Quick by itself, but behind work that is not.
        "queue.single_task(program['slow'], data, 10).wait()",
        "memory.to_numpy()",
        "memory.copy_from(numpy.zeros(1 << 20, 'i4'))",
        # The thread waits in the driver, the main thread for the thread.
        "t = threading.Thread(target=event.wait, daemon=True); t.start(); t.join()",
    ],
)
def test_an_interrupt_ends_a_waiting_program(wait: str, program: Program, tmp_path: Path) -> None:
    script = f"print('waiting', flush=True)\ntry:\n    {wait}\nfinally:\n    print('tidied up')"
    status, out, err, seconds = _Waiting(program, tmp_path, script).interrupt()
    assert (status, out) == (-signal.SIGINT, "tidied up\n")
    assert "KeyboardInterrupt" in err
    assert seconds < 1


def test_an_interrupt_ends_a_program_that_waits_as_it_ends(
    program: Program, tmp_path: Path
) -> None:
    waiting = _Waiting(program, tmp_path, "print('waiting', flush=True)")
    status, out, _, seconds = waiting.interrupt()
    assert (status, out) == (-signal.SIGINT, "")
    assert seconds < 1


def test_an_interrupt_can_be_handled(program: Program, tmp_path: Path) -> None:
    script = """
other = rt.Queue()
event = other.single_task(program["slow"], data, 300_000_000)
print('waiting', flush=True)
try:
    event.wait()
except KeyboardInterrupt:
    print('interrupted, done:', event.done)
event.wait()
print('done:', event.done, data[2])
import os
sys.stdout.flush()
os._exit(3)  # the first kernel runs on
"""
    status, out, err, _ = _Waiting(program, tmp_path, script).interrupt()
    assert (status, err) == (3, "")
    assert out == "interrupted, done: False\ndone: True 1\n"


def test_an_ignored_interrupt_is_ignored(program: Program, tmp_path: Path) -> None:
    script = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
event = rt.Queue().single_task(program["slow"], data, 300_000_000)
print('waiting', flush=True)
event.wait()
print('done')
sys.stdout.flush()
os._exit(0)
"""
    status, out, err, _ = _Waiting(program, tmp_path, script).interrupt()
    assert (status, out, err) == (0, "done\n", "")


def test_short_work_is_finished_after_an_interrupt(program: Program, tmp_path: Path) -> None:
    """What ends by itself in no time lets Python end as usual, handlers and all."""
    program.save(tmp_path / "program")
    script = (
        "import atexit; atexit.register(print, 'as usual')\n"
        + _BEGIN.replace(str(_FOREVER), "1000")
        + "raise KeyboardInterrupt"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (-signal.SIGINT, "as usual\n")


def test_a_forked_child_does_not_wait_for_its_parents_work(
    program: Program, tmp_path: Path
) -> None:
    script = """
import os, signal
child = os.fork()
if not child:
    sys.exit(5)
print('child ended with', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    program.save(tmp_path / "program")
    command = [sys.executable, "-c", _BEGIN + script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.stdout == "child ended with 5\n"
