"""How commands end: the compiler at once, the others as Python programs do."""

import subprocess
import sys
from pathlib import Path

import pytest

START = """\
import atexit, sys
from dovetail.cli.entry import dovetail
atexit.register(print, "taken apart")
sys.exit(dovetail())
"""


def started(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_compiler_ends_at_once_when_all_is_written() -> None:
    ended = started("c++", "-fsycl", "--help")
    assert ended.returncode == 0
    assert ended.stdout.startswith("usage: dovetail c++")
    assert "taken apart" not in ended.stdout


def test_its_errors_are_written_too() -> None:
    ended = started("c++", "-fsycl")
    assert ended.returncode == 2
    assert ended.stderr.startswith("dovetail: error: no input files")
    assert "taken apart" not in ended.stdout


def test_others_let_programs_clean_up() -> None:
    ended = started("--version")
    assert ended.returncode == 0
    assert ended.stdout.endswith("taken apart\n")


@pytest.mark.parametrize("words", [("c++", "--version"), ("c++", "-fsycl", "--help")])
def test_output_that_cannot_be_written_is_an_error(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "dovetail", *words]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"dovetail: error: No space left on device\n")


def test_readers_that_leave_early_are_no_error() -> None:
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1
