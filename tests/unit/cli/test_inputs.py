"""Files that commands read: what cannot be one is refused at once, whichever way it is named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail import pipes
from dovetail.cli.main import main
from dovetail.files import PROGRAM

SPARSE = "sparse"
PIPE = "pipe"


COMMANDS = {
    "inspect": "inspect {}",
    "table": "table -rename=0,a {}",
    "table, a second input": "table -replace=Code,Code good.table {}",
    "table, merged": "table -merge=Code names.table",
    "table, copied": "table -copy_single_file=Code,0 names.table",
    "aspect-filter": "aspect-filter --arch intel_gpu_dg1 {}",
    "aspect-filter, properties": "aspect-filter --arch intel_gpu_dg1 properties.table",
    "inspect, code": "inspect names.table",
    "inspect, properties": "inspect properties.table",
    "device configuration": "targets --device-config-file {}",
    "response file": "c++ @{}",
    "run": "run {}",
    "c++": "c++ -fsycl -x c++ {}",
    "c++, linked": "c++ -fsycl {}",
    "check": "check {}",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with files that are no input, and tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pipes, "WRITER_WAIT_S", 0.01)
    os.mkfifo(PIPE)
    with Path(SPARSE).open("wb") as file:
        file.truncate(PROGRAM.limit + 1)
    Path("good.table").write_text("[Code]\na\n")
    return tmp_path


def command(name: str, file: str) -> list[str]:
    """The command's words for a file; tables that name it are written."""
    Path("names.table").write_text(f"[Code]\n{file}\n")
    Path("properties.table").write_text(f"[Properties]\n{file}\n")
    return COMMANDS[name].format(file).split()


def error_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 1
    return capsys.readouterr().err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_devices(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(command(name, "/dev/zero"), capsys)
    assert "error: '/dev/zero' is not a regular file\n" in error


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_pipes_without_a_writer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(command(name, PIPE), capsys)
    refused = "error: 'pipe' is not a regular file\n"
    waited = "error: cannot read 'pipe': this pipe has had no writer for 0.01 s\n"
    assert refused in error or waited in error


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - {"c++, linked"}))
def test_files_that_are_too_large(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    error = error_of(command(name, SPARSE), capsys)
    assert "error: 'sparse' is larger than " in error
    assert " MiB, the limit for " in error


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_directories(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "error: cannot read '.': Is a directory\n" in error_of(command(name, "."), capsys)


def test_standard_input_is_bounded() -> None:
    words = [sys.executable, "-m", "dovetail", "table", "-rename=0,a", "-"]
    with Path("/dev/zero").open("rb") as endless:
        finished = subprocess.run(words, stdin=endless, capture_output=True, text=True)
    assert finished.returncode == 1
    assert "standard input is larger than 16 MiB, the limit for a file table" in finished.stderr


def test_process_substitution(tmp_path: Path) -> None:
    (tmp_path / "a.table").write_text("[Code]\nx\n")
    script = f"{sys.executable} -m dovetail table -rename=Code,C <(cat a.table)"
    finished = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert finished.stdout == "[C]\nx\n"
