"""Crashes of clang are errors at a place in the source."""

from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.frontend.crashes import parse_crash

Capture = pytest.CaptureFixture[str]

CRASH = """\
#include <sycl/sycl.hpp>
int f() {
#pragma clang __debug crash
  return 1;
}
int main() {}
"""


@pytest.mark.parametrize(
    "command",
    [("c++", "-fsycl", "-o", "prog"), ("c++", "-fsycl", "-fsyclbin", "-o", "k"), ("run",)],
)
def test_a_crash_is_an_error_at_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    Path("x.cpp").write_text(CRASH)
    assert main([*command, "x.cpp"]) == 1
    told = capfd.readouterr().err
    first, second, *_ = told.splitlines()
    assert first == (
        "x.cpp:3:2: error: clang crashed here, compiling for the device;"
        " rewriting this code may avoid the crash"
    )
    assert second == "x.cpp:2:9: note: parsing function body 'f'"
    assert "dovetail: this is a bug in clang, not in the source; to report it" in told
    assert "Stack dump" not in told
    assert list(tmp_path.glob("*.sh")) == []


def test_check_reports_a_crash(tmp_path: Path, capfd: Capture) -> None:
    source = tmp_path / "x.cpp"
    source.write_text(CRASH)
    assert main(["check", str(source)]) == 1
    told = capfd.readouterr()
    assert f"{source}:3:2: error: clang crashed here" in told.out + told.err


DUMP = """\
x.cpp:1:1: warning: something [-Wsome]
fatal error: error in backend: Cannot select: t1
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the dump.
Stack dump:
0.\tProgram arguments: clang++ x.cpp
1.\t<eof> parser at end of file
2.\tCode generation
 #0 0x00007f7d6ccb8786 FRAME (/usr/lib/libLLVM.so+0x4eb8786)
clang++: error: clang frontend command failed with exit code 70 (use -v to see invocation)
"""
COMMAND = ("clang++", "-x", "c++", "x.cpp", "-o", "x.o")


def test_a_crash_without_a_place() -> None:
    crash = parse_crash(COMMAND, DUMP)
    assert crash is not None
    assert crash.message == (
        "x.cpp:1:1: warning: something [-Wsome]\n"
        "x.cpp: error: clang crashed here: Cannot select: t1; rewriting this code may avoid"
        " the crash"
    )
    assert crash.hint == (
        "this is a bug in clang, not in the source; to report it, attach the source and the"
        " command: clang++ -x c++ x.cpp -o x.o"
    )


def test_a_crash_of_the_plugin() -> None:
    crash = parse_crash(COMMAND, DUMP.replace("FRAME", "dovetail::readBody(clang::FunctionDecl)"))
    assert crash is not None
    assert "a bug in Dovetail's plugin" in crash.hint


def test_other_messages_are_not_crashes() -> None:
    assert parse_crash(COMMAND, "x.cpp:1:1: error: unknown type name 'x'") is None


def test_too_deep_nesting(tmp_path: Path, capfd: Capture) -> None:
    source = tmp_path / "x.cpp"
    source.write_text("int x = " + "(" * 20000 + "1" + ")" * 20000 + ";\n")
    assert main(["c++", "-fsycl", "-c", str(source), "-o", str(tmp_path / "x.o")]) == 1
    told = capfd.readouterr().err
    # Clang has a limit of its own, and on a larger stack it gets that far.
    assert f"{source}: error: clang crashed" in told or "nesting level exceeded" in told
