"""The progress line: on a terminal, and nowhere else."""

import re
import subprocess
import sys
from pathlib import Path

from terminals import on_terminal


def test_how_many_of_how_many(tmp_path: Path) -> None:
    (tmp_path / "a[b].cpp").write_text("int a() { return 1; }\n")
    text = on_terminal("c++", "-fsycl", "-c", "a[b].cpp", folder=tmp_path)
    lines = [line.replace("\x1b[K", "") for line in text.split("\r")]
    counted = [re.fullmatch(r"\[(\d+)/5\] (.*)", line) for line in lines if line]
    numbers = [int(match[1]) for match in counted if match]
    assert len(numbers) == len(counted)
    assert numbers == sorted(numbers)
    assert any(match and "front-end a[b].cpp" in match[2] for match in counted)
    assert text.endswith("\r\x1b[K"), "no line is left behind"
    assert "\n" not in text


def test_none_where_commands_are_printed(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a() { return 1; }\n")
    text = on_terminal("c++", "-fsycl", "-c", "a.cpp", "-v", folder=tmp_path)
    assert "/5]" not in text
    assert "clang++" in text


def test_none_on_terminals_that_cannot_take_it_back(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a() { return 1; }\n")
    assert on_terminal("c++", "-fsycl", "-c", "a.cpp", folder=tmp_path, kind="dumb") == ""


def test_none_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a() { return 1; }\n")
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-c", "a.cpp"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, b"", b"")
