"""Ctrl-C while Python waits for a device: real processes, real signals, real kernels."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from patience import PATIENCE

from dovetail.runtime import Program

pytestmark = pytest.mark.device

_BEGIN = """\
import sys, threading, numpy, dovetail.runtime as rt
program, queue = rt.load(sys.argv[1]), rt.Queue()
data = numpy.zeros(1, "i4")
memory = queue.alloc(1 << 20, "i4")
told = queue.alloc(1, "i4", "host")
for _ in range(20):  # so that everything is known to be quick
    queue.single_task(program["once"], data, 1).wait()
told.numpy()[0] = 0
"""
_FOREVER = 'event = queue.single_task(program["until"], told, data)\n'
"""A kernel that runs until it is told to end."""


class _Waiting:
    """A script that was started and says that it is about to wait."""

    def __init__(self, program: Program, folder: Path, script: str) -> None:
        program.save(folder / "program")
        command = [sys.executable, "-c", _BEGIN + _FOREVER + script, str(folder / "program")]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        assert self.process.stdout
        assert self.process.stdout.readline() == "waiting\n"
        # So that it is most likely in the driver by then.
        time.sleep(0.3)

    def interrupt(self, then: str = "") -> tuple[int, str, str]:
        """Press Ctrl-C, then give it some input; how the process ends, long before its kernel."""
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(then, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, out, err


@pytest.mark.parametrize(
    "wait",
    [
        "event.wait()",
        "queue.wait()",
        # Quick by itself, but behind work that is not.
        "queue.single_task(program['once'], data, 1).wait()",
        "memory.to_numpy()",
        "memory.copy_from(numpy.zeros(1 << 20, 'i4'))",
        # The thread waits in the driver, the main thread for the thread.
        "t = threading.Thread(target=event.wait, daemon=True); t.start(); t.join()",
    ],
)
def test_an_interrupt_ends_a_waiting_program(wait: str, program: Program, tmp_path: Path) -> None:
    script = f"print('waiting', flush=True)\ntry:\n    {wait}\nfinally:\n    print('tidied up')"
    status, out, err = _Waiting(program, tmp_path, script).interrupt()
    assert (status, out) == (-signal.SIGINT, "tidied up\n")
    assert "KeyboardInterrupt" in err


def test_an_interrupt_ends_a_program_that_waits_as_it_ends(
    program: Program, tmp_path: Path
) -> None:
    waiting = _Waiting(program, tmp_path, "print('waiting', flush=True)")
    status, out, _ = waiting.interrupt()
    assert (status, out) == (-signal.SIGINT, "")


def test_an_interrupt_can_be_handled(program: Program, tmp_path: Path) -> None:
    script = """
print('waiting', flush=True)
try:
    event.wait()
except KeyboardInterrupt:
    print('interrupted, done:', event.done)
told.numpy()[0] = 1
event.wait()
print('done:', event.done, data[0])
sys.exit(3)
"""
    status, out, err = _Waiting(program, tmp_path, script).interrupt()
    assert (status, err) == (3, "")
    assert out == "interrupted, done: False\ndone: True 1\n"


def test_an_ignored_interrupt_is_ignored(program: Program, tmp_path: Path) -> None:
    script = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
def tell():
    sys.stdin.readline()
    told.numpy()[0] = 1
threading.Thread(target=tell).start()
print('waiting', flush=True)
event.wait()
print('done', data[0])
"""
    status, out, err = _Waiting(program, tmp_path, script).interrupt("go on")
    assert (status, out, err) == (0, "done 1\n", "")


def test_short_work_is_finished_after_an_interrupt(program: Program, tmp_path: Path) -> None:
    """What ends by itself in no time lets Python end as usual, handlers and all."""
    program.save(tmp_path / "program")
    script = (
        "import atexit; atexit.register(print, 'as usual')\n"
        # No time is as long as it takes on a busy machine.
        f"from dovetail.runtime import ending; ending.GRACE_PERIOD_S = {PATIENCE}\n"
        f"{_BEGIN}queue.single_task(program['once'], data, 2)\n"
        "raise KeyboardInterrupt"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
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
    command = [sys.executable, "-c", _BEGIN + _FOREVER + script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert result.stdout == "child ended with 5\n"
