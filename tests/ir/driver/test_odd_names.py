"""Names with characters that formats between programs treat in a special way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from variants import one_in

from dovetail.cli.main import main
from dovetail.driver.tracing import arguments_of_commands

NOT_UTF8 = "a\udcffb"
NAMES = {
    "newline": "a\nb",
    "carriage return": "a\rb",
    "tab": "a\tb",
    "space": "a b",
    "quote": "a'b",
    "double quote": 'a"b',
    "backslash": "a\\b",
    "bar": "a|b",
    "dollar": "a$b",
    "hash": "a#b",
    "comma": "a,b",
    "dash": "-a",
    "at": "@a",
    "line separator": "a\u2028b",
    "not UTF-8": NOT_UTF8,
}
SOURCE = "#include <twice.h>\n[[clang::sycl_external]] int f(int x) { return twice(x); }\n"
HEADER = "inline int twice(int x) { return 2 * x; }\n"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(params=one_in(3, NAMES.values(), [NOT_UTF8]), ids=list(NAMES))
def name(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A name: of the working directory, and of a folder for temporary files."""
    name: str = request.param
    folder, temporary = tmp_path / name, tmp_path / "temporary" / name
    folder.mkdir()
    temporary.mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    (folder / name).mkdir()
    (folder / name / "twice.h").write_text(HEADER)
    Path("main.cpp").write_text("int f(int);\nint main() { return f(0); }\n")
    Path("k.cpp").write_text(SOURCE)
    return name


def succeeds(*words: str) -> None:
    assert main(["c++", "-fsycl", *words]) == 0


def test_folders(name: str) -> None:
    """Working directory, temporary files, include directory as it is and from the root."""
    succeeds("-c", "k.cpp", f"-I{name}", "-MD")
    succeeds("-c", "k.cpp", f"-I{Path(name).absolute()}", "-MMD", "-MP")
    succeeds("main.cpp", "k.o", "-o", "program")


def test_files(name: str, capsys: Capture) -> None:
    """Source, object file, program."""
    Path(f"{name}.cpp").write_text(SOURCE)
    source = f"./{name}.cpp" if name.startswith("@") else f"{name}.cpp"
    words = ["-x", "c++", "--", source] if name.startswith("-") else [source]
    command = ["c++", "-fsycl", "-c", f"-I{name}", "-o", f"{name}.o", "-MD", *words]
    if name == NOT_UTF8:
        assert main(command) == 1
        assert r"the name 'a\udcffb.cpp' is not UTF-8" in capsys.readouterr().err
        return
    assert main(command) == 0
    succeeds("main.cpp", f"./{name}.o", "-o", f"./{name}.program")
    assert Path(f"{name}.program").is_file()


def test_another_cache_directory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(name, "cache").mkdir(mode=0o700)
    monkeypatch.setenv("DOVETAIL_CACHE_DIR", str(Path(name, "cache").absolute()))
    Path("k.cpp").write_text(SOURCE.replace("<twice.h>", '"k.h"'))
    Path("k.h").write_text(HEADER)
    for _ in range(2):
        succeeds("-c", "k.cpp")


def test_archives_with_a_line_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cpp").write_text("[[clang::sycl_external]] int f(int x) { return x; }\n")
    Path("main.cpp").write_text("int main() {}\n")
    succeeds("-c", "k.cpp")
    subprocess.run(["llvm-ar-22", "qc", "a\nb.a", "k.o"], check=True)
    assert main(["c++", "-fsycl", "main.cpp", "a\nb.a"]) == 1
    assert r"the archive name 'a\nb.a' contains a line break" in capsys.readouterr().err


def test_where_dovetail_is_installed(tmp_path: Path) -> None:
    installed = tmp_path / "a\n\"b',$ "
    (installed / "src").mkdir(parents=True)
    package = Path(sys.modules["dovetail"].__path__[0])
    (installed / "src" / "dovetail").symlink_to(package)
    (installed / "include").symlink_to(package.parents[1] / "include")
    (tmp_path / "k.cpp").write_text("[[clang::sycl_external]] int f(int x) { return x; }\n")
    finished = subprocess.run(
        [sys.executable, "-m", "dovetail", "c++", "-fsycl", "-fsyclbin", "k.cpp", "-v"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed / "src")},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    assert r"a\x0a" in finished.stderr, "that one was started"


@pytest.mark.parametrize("word", ["", " ", "a\nb", "a\n b", '"', "\\", "$", '\n "x" "y', "\\n"])
def test_arguments_of_commands(word: str) -> None:
    """As clang writes them: `"`, `\\` and `$` with a backslash before them."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    printed = (
        f'clang version 22\nInstalledDir: /usr/bin\n "clang" "-I" "{escaped}" "-c"\n "ld" "x"\n'
    )
    assert arguments_of_commands(printed) == ["clang", "-I", word, "-c", "ld", "x"]
