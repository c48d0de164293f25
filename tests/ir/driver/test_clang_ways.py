"""What clang's users take for granted of a command line, also with `-fsycl`."""

import subprocess
import sys
from pathlib import Path

import pytest

from dovetail.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.cpp").write_text('#include "a.hpp"\nint a() { return 1; }\n')
    (tmp_path / "a.hpp").write_text("")
    (tmp_path / "c.c").write_text("int c(void) { int class = 1; return class; }\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


@pytest.mark.parametrize("mode", ["-MD", "-MMD"])
def test_dependencies_through_the_preprocessor(folder: Path, mode: str) -> None:
    assert cxx("-c", "a.cpp", "-o", "out.o", f"-Wp,{mode},deps.d") == 0
    assert (folder / "deps.d").read_text().split() == ["out.o:", "a.cpp", "a.hpp"]
    assert not (folder / "out.d").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--coverage"],
        ["-fprofile-instr-generate", "-fcoverage-mapping"],
        ["-fprofile-generate"],
        ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"],
        ["-fprofile-arcs", "-ftest-coverage"],
        ["-finstrument-functions", "-fstack-protector-strong", "-pg"],
    ],
)
def test_words_for_the_host_are_no_affair_of_the_device(words: list[str], capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "-Werror", *words) == 0
    assert capsys.readouterr().err == ""


def test_files_of_coverage_are_named_after_the_output(folder: Path, capsys: Capture) -> None:
    (folder / "out").mkdir()
    assert cxx("-c", "a.cpp", "--coverage", "-o", "out/b.o") == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["b.gcno", "b.o"]
    assert str(folder / "out" / "b.gcda").encode() in (folder / "out" / "b.o").read_bytes()
    assert cxx("a.cpp", "--coverage", "-o", "app", "-###") == 0
    assert f"-coverage-notes-file={folder}/app-a.gcno" in capsys.readouterr().err


def test_standards_of_c(folder: Path, capsys: Capture) -> None:
    (folder / "c.c").write_text('_Static_assert(__STDC_VERSION__ == 201112L, "");\n')
    assert cxx("-c", "-std=c11", "-x", "c", "c.c") == 0
    assert capsys.readouterr().err == ""
    assert cxx("-c", "-std=gnu99", "-x", "c", "c.c") == 1
    assert "static assertion failed" in capsys.readouterr().err
    for words in (["c.c"], ["-x", "c", "c.c", "-x", "none", "a.cpp"]):
        assert cxx("-c", "-std=c11", *words) == 2
        assert "unsupported standard 'c11'" in capsys.readouterr().err
    assert main(["run", "-std=c11", "c.c"]) == 2
    assert "unsupported standard 'c11'" in capsys.readouterr().err


def test_sources_named_as_c_are_cxx(folder: Path, capsys: Capture) -> None:
    """As in clang++: with its warning, once, unless -x says which language it is."""
    for name in ("d.c", "e.c"):
        (folder / name).write_text("template <class T> T f();\nclass C { int i; };\n")
    assert cxx("-fsyntax-only", "d.c", "e.c") == 0
    warning = "treating 'c' input as 'c++' when in C++ mode, this behavior is deprecated"
    assert capsys.readouterr().err == f"dovetail: warning: {warning} [-Wdeprecated]\n"
    assert cxx("-fsyntax-only", "d.c", "-Wno-deprecated") == 0
    assert cxx("-fsyntax-only", "-x", "c++", "d.c") == 0
    assert capsys.readouterr().err == ""
    assert cxx("-fsyntax-only", "-x", "c", "d.c") == 1
    assert "unknown type name 'template'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "warning"),
    [
        ("-O4", "-O4 is equivalent to -O3 [-Wdeprecated]"),
        ("-O7", "optimization level '-O7' is not supported; using '-O3' instead"),
        ("-Ofast", "argument '-Ofast' is deprecated; use '-O3 -ffast-math' for the same behavior,"),
        ("-O", ""),
        ("-Og", ""),
        ("-Os", ""),
        ("-Oz", ""),
    ],
)
def test_levels(word: str, warning: str, capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", word) == 0
    printed = capsys.readouterr().err
    assert warning in printed
    assert bool(printed) == bool(warning)


def test_warnings_of_words_can_be_switched_off(capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", "-O4", "-Wno-deprecated") == 0
    assert cxx("-c", "a.cpp", "-Ofast", "-lm", "-w") == 0
    assert cxx("-c", "a.cpp", "-lm", "-Wno-unused-command-line-argument") == 0
    assert cxx("-c", "a.cpp", "-lm", "-Qunused-arguments") == 0
    assert capsys.readouterr().err == ""
    assert cxx("-c", "a.cpp", "-O4", "-Wno-deprecated", "-Wdeprecated") == 0
    assert "-O4 is equivalent" in capsys.readouterr().err


def test_words_for_the_linker_where_nothing_is_linked(capsys: Capture) -> None:
    words = ["-l", "m", "-L.", "-Wl,-x", "-u", "name", "-rdynamic", "-nostdlib", "-pthread"]
    assert cxx("-c", "a.cpp", *words) == 0
    ending = "[-Wunused-command-line-argument]"
    assert capsys.readouterr().err.splitlines() == [
        f"dovetail: warning: -l m: 'linker' input unused {ending}",
        f"dovetail: warning: argument unused during compilation: '-L.' {ending}",
        f"dovetail: warning: -Wl,-x: 'linker' input unused {ending}",
        f"dovetail: warning: argument unused during compilation: '-u name' {ending}",
        f"dovetail: warning: argument unused during compilation: '-rdynamic' {ending}",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["-m32"],
        ["-mx32"],
        ["--target=aarch64-linux-gnu"],
        ["-target", "i686-pc-linux-gnu"],
        ["--target=x86_64-w64-mingw32"],
    ],
)
def test_other_machines(words: list[str], folder: Path, capsys: Capture) -> None:
    assert cxx("-c", "a.cpp", *words) == 2
    assert "host code is always compiled for this machine" in capsys.readouterr().err
    assert not (folder / "a.o").exists()


@pytest.mark.parametrize("words", [["-m64"], ["--target=x86_64-pc-linux-gnu"]])
def test_this_machine_by_name(words: list[str]) -> None:
    assert cxx("-c", "a.cpp", *words) == 0


@pytest.mark.parametrize(
    ("words", "path"),
    [(["-MD", "-MF", "none/a.d"], "none/a.d"), (["-o", "none/a.o"], "none/a.o")],
)
def test_folders_that_are_not_there(
    words: list[str], path: str, folder: Path, capsys: Capture
) -> None:
    # Said before anything is compiled, or there would be more to say.
    (folder / "a.cpp").write_text("this is no C++")
    assert cxx("-c", "a.cpp", *words) == 1
    assert capsys.readouterr().err == (
        f"dovetail: error: cannot write '{path}': folder 'none' does not exist\n"
        "dovetail: create the folder first\n"
    )


def test_standard_output(folder: Path) -> None:
    def written(*words: str) -> bytes:
        command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", "a.cpp", *words, "-o", "-"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout

    assert b"int a() { return 1; }" in written("-E")
    assert b".globl" in written("-S")
    assert cxx("-c", "a.cpp", "-o", "a.o") == 0
    assert written("-c") == (folder / "a.o").read_bytes()
    assert not (folder / "-").exists()


def test_crashes_leave_what_they_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (folder / "crash.cpp").write_text("#pragma clang __debug parser_crash\n")
    (folder / "kept").mkdir()
    (folder / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(folder / "temporary"))
    assert cxx("-c", "crash.cpp", "-fcrash-diagnostics-dir=kept") == 1
    printed = capsys.readouterr().err
    left = sorted(path.relative_to(folder).as_posix() for path in (folder / "kept").iterdir())
    assert len(left) == 4, "a source and a script of each side"
    assert all(name in printed for name in left)
    assert list((folder / "temporary").iterdir()) == []
