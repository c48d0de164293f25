"""Zip programs, which older versions of `dovetail c++` wrote: they still run."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from fuzz.zip_programs import zip_program

from dovetail.cli.main import main
from dovetail.driver import RunRequest, build_to_run
from dovetail.frontend import Source
from dovetail.image.executable import Executable

pytestmark = pytest.mark.device

Capture = pytest.CaptureFixture[str]
Ending = tuple[int, str, str]

SOURCE = r"""
#include <iostream>
#include <sycl/sycl.hpp>

struct Last {
  ~Last() { std::cout << "last" << std::endl; }
} last;

int main(int argc, char **argv) {
  for (int i = 0; i < argc; ++i)
    std::cout << '[' << argv[i] << ']';
  sycl::queue queue;
  int *sum = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *sum = 40 + argc; }).wait();
  std::cout << ' ' << *sum << std::endl;
  return argc;
}
"""


def run(*command: str | Path) -> Ending:
    finished = subprocess.run(command, capture_output=True, text=True)
    return finished.returncode, finished.stdout, finished.stderr


def dovetail(*words: str | Path) -> Ending:
    return run(sys.executable, "-m", "dovetail", *words)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program above."""
    path = tmp_path_factory.mktemp("zip") / "app"
    built = build_to_run(RunRequest((Source.from_text(SOURCE),)))
    start = f"#!{sys.executable}\n".encode()
    path.write_bytes(zip_program(Executable(built.program, built.host_library), start))
    path.chmod(0o755)
    return path


def test_started_by_python_and_by_dovetail(app: Path) -> None:
    # A path with blanks is too much for a first line.
    assert run(sys.executable, app, "a b", "") == (3, f"[{app}][a b][] 43\nlast\n", "")
    assert dovetail("run", app, "--", "--as") == (2, f"[{app}][--as] 42\nlast\n", "")


def test_inspect_reads_it(app: Path, capsys: Capture) -> None:
    assert main(["inspect", str(app)]) == 0
    assert "SPIR-V for spir64-unknown-unknown" in capsys.readouterr().out


def test_bad_files(app: Path, tmp_path: Path, capsys: Capture) -> None:
    other = tmp_path / "other.zip"
    with ZipFile(other, "w") as archive:
        archive.writestr("hello.txt", "hello")
    cut = tmp_path / "cut"
    cut.write_bytes(app.read_bytes()[:-100])
    damaged = tmp_path / "damaged"
    damaged.write_bytes(app.read_bytes().replace(b"\x7fELF", b"\x7fELV", 1))
    for bad, message in (
        (other, "unexpected or repeated member 'hello.txt'"),
        (cut, "the file may be truncated"),
        (damaged, "'host.so' is damaged"),
    ):
        assert main(["run", str(bad)]) == 1
        printed = capsys.readouterr().err
        assert printed.startswith(
            f"dovetail: error: '{bad}' is not a SYCL program file, or is damaged: "
        )
        assert message in printed
        assert "build programs with 'dovetail c++ -fsycl" in printed


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ("program.syclbin", "an offload binary or a SYCLBIN"),
        ("host.so", "cannot load the program's host code: file too short"),
    ],
)
def test_parts_that_are_something_else(
    app: Path, tmp_path: Path, member: str, message: str
) -> None:
    bad = tmp_path / "app"
    with ZipFile(app) as good, ZipFile(bad, "w") as archive:
        for name in good.namelist():
            archive.writestr(name, "something else" if name == member else good.read(name))
    status, out, errors = dovetail("run", bad)
    assert (status, out) == (1, "")
    assert message in errors
    assert "Traceback" not in errors
