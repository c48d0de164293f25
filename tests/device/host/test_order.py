"""Memory and order: programs that share buffers, events and queues with the host."""

import os
import re
import subprocess
import sys
from pathlib import Path
from signal import SIGABRT

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "sources" / "order.cpp"
CHECKS, ENDINGS = (
    re.findall(r'^    \{"(\w+)", ', table, re.MULTILINE)
    for table in SOURCE.read_text().split("> checks{")[1].split("> endings{")
)
DOVETAIL = [sys.executable, "-m", "dovetail"]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("order") / "order"
    subprocess.run([*DOVETAIL, "c++", "-fsycl", SOURCE, "-o", path], check=True)
    return path


# The same device twice, each time with a context of its own; in the program's own Python.
TWO_DEVICES = """
import sys
from dovetail.runtime import Device, devices
from dovetail.runtime.host import process
from dovetail.runtime.opencl.device import OpenCLDevice
def two_devices():
    print("two devices", file=sys.stderr)
    first = devices()[0]
    return [first, Device(OpenCLDevice(first.native.handle))]
process.devices = two_devices
"""


def _run(program: Path, name: str, **environment: str) -> tuple[int, str, str]:
    command = [*DOVETAIL, "run", program, "--", name]
    finished = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )
    return finished.returncode, finished.stdout, finished.stderr


@pytest.mark.parametrize("check", CHECKS)
def test_check(program: Path, check: str) -> None:
    assert _run(program, check) == (0, "", "")


@pytest.mark.parametrize("check", ["steps_at_random", "events", "threads"])
def test_two_devices(program: Path, check: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(TWO_DEVICES)
    assert _run(program, check, PYTHONPATH=str(tmp_path)) == (0, "", "two devices\n")


@pytest.mark.parametrize(
    ("name", "status", "output"),
    [
        ("exit_in_a_task", 4, ""),
        ("exit_with_an_accessor", 3, "2\n"),
        ("leave_a_thread_behind", 0, "went on\n"),
        ("leave_tasks_behind", 0, "last\n"),
    ],
)
def test_ending(program: Path, name: str, status: int, output: str) -> None:
    assert name in ENDINGS
    assert _run(program, name) == (status, output, "")


def test_errors_without_a_handler_end_the_program(program: Path) -> None:
    status, output, errors = _run(program, "no_handler")
    assert (status, output) == (-SIGABRT, "")
    assert errors.startswith("SYCL: an error that no async_handler took: nobody takes this\n")
