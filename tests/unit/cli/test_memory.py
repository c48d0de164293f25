"""A lack of memory is the user's to mend, and no bug."""

import errno
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli import main as main_module
from dovetail.cli.main import main
from dovetail.errors import is_out_of_memory

LIMIT = 512 << 20


def test_a_file_that_does_not_fit(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2 * LIMIT)
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", "inspect", str(tmp_path / "large")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 1
    assert finished.stderr == (
        "dovetail: error: out of memory while running 'dovetail inspect'\n"
        "dovetail: run fewer jobs at a time (-j1), provide more memory, or raise the limit of"
        " 'ulimit -v'\n"
    )


@pytest.mark.parametrize(
    "error",
    [MemoryError(), OSError(errno.ENOMEM, "no memory"), RuntimeError("can't start new thread")],
)
def test_ways_to_run_out(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(words: list[str]) -> int:
        raise error

    monkeypatch.setattr(main_module, "_dispatch", fail)
    assert main(["targets"]) == 1
    assert "error: out of memory while running 'dovetail targets'" in capsys.readouterr().err


def test_other_errors() -> None:
    assert not is_out_of_memory(OSError(errno.ENOENT, "no file"))
    assert not is_out_of_memory(RuntimeError("something else"))
