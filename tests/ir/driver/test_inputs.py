"""Inputs of the commands that work on LLVM IR: what cannot be one is refused at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail import pipes
from dovetail.cli.main import main
from dovetail.files import LLVM_IR

COMMANDS = {
    "opt": "opt -p optimize {}",
    "opt, facts": "opt -p optimize good.ll --facts {}",
    "post-link": "post-link {} -o out.table",
}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are no input, and one that is, in the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pipes, "WRITER_WAIT_S", 0.01)
    os.mkfifo("pipe")
    Path("good.ll").write_text("define void @f() {\n  ret void\n}\n")
    with Path("sparse").open("wb") as file:
        file.truncate(LLVM_IR.limit + 1)


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("/dev/zero", "'/dev/zero' is not a regular file"),
        ("pipe", "cannot read 'pipe': this pipe has had no writer for 0.01 s"),
        ("sparse", "'sparse' is larger than "),
        (".", "cannot read '.': Is a directory"),
    ],
)
def test_what_is_no_input(
    words: str, file: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.format(file).split()) == 1
    assert f"dovetail: error: {message}" in capsys.readouterr().err


def test_process_substitution() -> None:
    script = f"{sys.executable} -m dovetail opt -p optimize <(cat good.ll)"
    finished = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "define void @f()" in finished.stdout
