"""Command lines that are longer than the system allows, from response files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli.main import main

TOO_LONG = os.sysconf("SC_ARG_MAX") + 1


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source that wants a macro with spaces and quotes, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("main.cpp").write_text('static_assert(sizeof(X) == sizeof("a b"));\nint main() {}\n')
    macros = "\n".join(f"-DM{n}={'x' * 100_000}" for n in range(TOO_LONG // 100_000 + 1))
    Path("words").write_text(f"""{macros}\n'-DX="a b"'""")


def test_compiling() -> None:
    assert main(["c++", "-fsycl", "-fsyntax-only", "main.cpp", "@words"]) == 0


@pytest.mark.parametrize("words", ["-fsycl -E main.cpp @words", "-fsyntax-only main.cpp @words"])
def test_becoming_clang(words: str) -> None:
    command = [sys.executable, "-m", "dovetail", "c++", *words.split()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def test_a_response_file_from_a_pipe() -> None:
    script = f"{sys.executable} -m dovetail c++ -fsyntax-only main.cpp @<(cat words)"
    subprocess.run(["bash", "-c", script], check=True)


def test_linking() -> None:
    Path("empty.s").touch()
    subprocess.run(["clang-22", "-c", "empty.s"], check=True)
    path = "./" * 400 + "empty.o"
    Path("objects").write_text("\n".join([path] * (TOO_LONG // len(path) + 1)))
    assert main(["c++", "-fsycl", "main.cpp", '-DX="a b"', "@objects", "-o", "program"]) == 0
    assert Path("program").is_file()
