"""Compilers that do nothing, or never end."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE, eventually

from dovetail.cli import slow_tools
from dovetail.cli.main import main
from dovetail.errors import ToolFailed
from dovetail.frontend import Tools

Capture = pytest.CaptureFixture[str]

HANGS = "sleep 600 & echo $! > grandchild; wait"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(tmp_path / "cache"))
    Path("k.cpp").write_text("int f() { return 1; }\n")


def pretend_clang(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Path("llvm").absolute()
    tools.mkdir()
    (tools / "clang++").write_text(f"#!/bin/sh\n{script}\n")
    (tools / "clang++").chmod(0o755)
    (tools / "llvm-objcopy").symlink_to("/usr/bin/llvm-objcopy-22")
    monkeypatch.setenv("DOVETAIL_LLVM_BIN", str(tools))


def has_ended(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("script", ["exit 0", "for last; do :; done; : > $last"])
def test_a_compiler_that_makes_nothing(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pretend_clang(script, monkeypatch)
    assert main(["c++", "-fsycl", "-c", "k.cpp"]) == 1
    error = capsys.readouterr().err
    assert "dovetail: error: in the step '" in error
    assert " k.cpp': clang++ ended without an error, but did not write '/" in error
    assert "dovetail: the command was: " in error
    assert not Path("k.o").exists()


def test_a_compiler_that_hangs(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    pretend_clang(HANGS, monkeypatch)
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", "0.5")
    assert main(["c++", "-fsycl", "-c", "-j1", "k.cpp"]) == 1
    error = capsys.readouterr().err
    assert "k.cpp': clang++ was still running after 0.5 s and was killed\n" in error
    assert "if it needs longer, set DOVETAIL_TOOL_TIMEOUT to more seconds" in error
    grandchild = int(Path("grandchild").read_text())
    assert eventually(lambda: has_ended(grandchild)), "what it started is ended with it"


def test_a_compiler_that_hangs_is_mentioned(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    pretend_clang(HANGS, monkeypatch)
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", "2")
    monkeypatch.setattr(slow_tools, "FIRST_NOTICE_S", 0.0)
    monkeypatch.setattr(slow_tools, "_INTERVAL_S", 0.1)
    assert main(["c++", "-fsycl", "-c", "-j1", "k.cpp"]) == 1
    first = capsys.readouterr().err.splitlines()[0]
    assert re.fullmatch(
        r"dovetail: clang\+\+ \(.* k\.cpp\) has been running for \d s \(time limit: 2 s\)", first
    )


def test_an_interrupt_ends_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend_clang(HANGS, monkeypatch)
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-c", "-j1", "k.cpp"]
    # Not as a terminal does it, which tells all of them.
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert eventually(
            lambda: Path("grandchild").exists() and bool(Path("grandchild").read_text())
        )
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    grandchild = int(Path("grandchild").read_text())
    assert eventually(lambda: has_ended(grandchild))


def test_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", "0")
    assert Tools().run(["echo", "done"]).output == b"done\n"


def test_a_file_that_was_there_is_enough(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with pytest.raises(ToolFailed, match="true ended without an error, but did not write"):
        Tools().run(["true"], outputs=[made])
    made.write_text("x")
    Tools().run(["true"], outputs=[made])
