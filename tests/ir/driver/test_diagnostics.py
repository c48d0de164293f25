"""Messages of a build on a terminal and elsewhere: each once, in a stable order, counted."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOVETAIL = Path(sys.executable).with_name("dovetail")

HEADER = """\
inline int inc() { int unused_in_header; return 1; }
inline int error_in_header() { return undeclared; }
"""
FIRST = """\
#include "outer.hpp"
template <class T> int member(T t) { return t.nothing; }
int f() { return member(1); }
#ifdef __SYCL_DEVICE_ONLY__
int device() { int only_device; return 1; }
#else
int host() { int only_host; return 1; }
#endif
"""
SECOND = "int g() { int in_second; return no_such_name; }\n"
THIRD = "int h() { int in_third; return 1; }\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner.hpp").write_text(HEADER)
    (tmp_path / "outer.hpp").write_text('#include "inner.hpp"\n')
    for name, text in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        (tmp_path / f"{name}.cpp").write_text(text)
    return tmp_path


def compile_all(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [DOVETAIL, "c++", "-fsycl", "-Wall", "-fsyntax-only", *options],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("jobs", ["-j1", "-j4"])
def test_messages(sources: Path, jobs: str) -> None:
    """All compilations report, whichever fails first, and each source's messages are together."""
    finished = compile_all(jobs, "first.cpp", "second.cpp", "third.cpp")
    assert finished.returncode == 1
    assert finished.stdout == ""
    heads = re.findall(r"^(\S+):\d+: (\w+): ([^\n]*?)(?: \[\S+\])?$", finished.stderr, re.M)
    assert [head for head in heads if head[1] != "note"] == [
        ("./inner.hpp:1", "warning", "unused variable 'unused_in_header'"),
        ("./inner.hpp:2", "error", "use of undeclared identifier 'undeclared'"),
        ("first.cpp:5", "warning", "unused variable 'only_device'"),
        ("first.cpp:2", "error", "member reference base type 'int' is not a structure or union"),
        ("first.cpp:7", "warning", "unused variable 'only_host'"),
        ("second.cpp:1", "error", "use of undeclared identifier 'no_such_name'"),
        ("third.cpp:1", "warning", "unused variable 'in_third'"),
    ]
    stack = (
        "In file included from first.cpp:1:\nIn file included from ./outer.hpp:1:\n./inner.hpp:1"
    )
    assert finished.stderr.startswith(stack)
    assert finished.stderr.endswith("\n4 warnings and 3 errors generated.\n")


def test_warnings_and_errors_of_warnings(sources: Path) -> None:
    third = compile_all("third.cpp")
    assert (third.returncode, third.stderr.count("unused")) == (0, 2)  # the text and the flag
    assert third.stderr.endswith("1 warning generated.\n")
    as_error = compile_all("-Werror", "third.cpp")
    assert as_error.returncode == 1
    assert "[-Werror,-Wunused-variable]" in as_error.stderr
    assert as_error.stderr.endswith("1 error generated.\n")
    assert compile_all("-Wno-unused-variable", "third.cpp").stderr == ""


def on_terminal(options: list[str], terminal: dict[str, str]) -> str:
    """Return what a compilation writes on a terminal."""
    reader, writer = pty.openpty()
    command = [DOVETAIL, "c++", "-fsycl", "-Wall", "-fsyntax-only", *options, "third.cpp"]
    environment = {**os.environ, "NO_COLOR": "", **terminal}
    process = subprocess.Popen(command, stderr=writer, env=environment)
    os.close(writer)
    written = b""
    while True:
        try:
            read = os.read(reader, 4096)
        except OSError:
            break
        if not read:
            break
        written += read
    os.close(reader)
    process.wait()
    # Without the line of progress.
    return re.sub(r"\r\x1b\[K[^\r\n]*\r\x1b\[K|\r", "", written.decode())


def test_colors(sources: Path) -> None:
    colored = "\x1b[1mthird.cpp:1:15: \x1b[0m\x1b[0;1;35mwarning: \x1b[0m\x1b[1munused variable"
    plain = "third.cpp:1:15: warning: unused variable"
    xterm = {"TERM": "xterm-256color"}
    assert colored in on_terminal([], xterm)
    assert colored in on_terminal(["-fcolor-diagnostics"], {"TERM": "dumb"})
    assert plain in on_terminal(["-fno-color-diagnostics"], xterm)
    assert plain in on_terminal(["-fcolor-diagnostics", "-fdiagnostics-color=never"], xterm)
    assert plain in on_terminal([], {**xterm, "NO_COLOR": "1"})
    assert plain in on_terminal([], {"TERM": "dumb"})
    assert colored in compile_all("-fcolor-diagnostics", "third.cpp").stderr
