"""Bundles: programs that run on machines without Dovetail."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import answer_library
import pytest
from mounts import mount_point, run_mounted
from patience import PATIENCE
from terminals import on_terminal

from dovetail.cli.main import main

pytestmark = pytest.mark.device

Capture = pytest.CaptureFixture[str]
DOVETAIL = (sys.executable, "-m", "dovetail")
MB = 1_000_000

SOURCE = """\
#include <iostream>
#include <sycl/sycl.hpp>
int library_answer(int x);
int main() {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = 42; }).wait();
  std::cout << *number << ' ' << library_answer(4) << std::endl;
}
"""
PRINTED = "42 11\n"

# Prints the answer of the library, and the Python library that it has loaded.
LOADING_PROGRAM = """\
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  printf("%d\\n", ((int (*)(int))dlsym(library, "_Z14library_answeri"))(5));
  char line[4096];
  for (FILE *maps = fopen("/proc/self/maps", "r"); fgets(line, sizeof(line), maps);)
    if (strstr(line, "libpython")) {
      printf("%s", strchr(line, '/'));
      return 0;
    }
  return 1;
}
"""

# Of the C and C++ libraries, which any system has.
BASE_LIBRARIES = ("c", "dl", "m", "pthread", "rt", "gcc_s", "stdc++")


class Made(NamedTuple):
    app: Path
    """In the folder where it was built."""
    bundle: Path
    report: dict[str, Any]


def compile_with(*words: str | Path) -> None:
    subprocess.run([*DOVETAIL, "c++", "-fsycl", *words], check=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A program with a library of its own, and its bundle."""
    folder = tmp_path_factory.mktemp("bundled")
    (folder / "app.cpp").write_text(SOURCE)
    (folder / "lib.cpp").write_text(answer_library.SOURCE)
    compile_with("-shared", folder / "lib.cpp", "-o", folder / "libanswer.so")
    search = (f"-L{folder}", "-lanswer", f"-Wl,-rpath,{folder}")
    compile_with(folder / "app.cpp", *search, "-o", folder / "app")
    bundle = folder / "app-dir"
    with (folder / "report.json").open("w+b") as output:
        shown = on_terminal(
            "bundle", "app", "-o", str(bundle), "--json", folder=folder, output=output
        )
        output.seek(0)
        report = json.load(output)
    lines = shown.replace("\x1b[K", "").split("\r")
    assert lines[1] == "collecting files"
    assert lines[2].endswith(": 0 %")
    assert lines[-1] == "", "no line is left behind"
    return Made(folder / "app", bundle, report)


def run(
    app: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program with these variables only."""
    return subprocess.run(
        [app], capture_output=True, text=True, timeout=PATIENCE, env=environment or {}
    )


def test_a_machine_with_only_the_c_and_cpp_libraries(made: Made, tmp_path: Path) -> None:
    root = mount_point(tmp_path)
    names = " ".join(f"/lib/x86_64-linux-gnu/lib{name}.so.?" for name in BASE_LIBRARIES)
    script = f"""
        mount -t tmpfs none {root}; cd {root}
        mkdir -p lib64 lib/x86_64-linux-gnu app proc sys tmp
        cp -L /lib64/ld-linux-x86-64.so.2 lib64
        cp -L {names} lib/x86_64-linux-gnu
        mount --bind {made.bundle} app; mount --rbind /proc proc; mount --rbind /sys sys"""
    command = ["env", "-i", "HOME=/tmp", shutil.which("chroot", path="/usr/sbin:/sbin") or "chroot"]
    finished = run_mounted(script.strip(), [*command, str(root), "/app/app"], {})
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, PRINTED, "")
    # Without a home directory there are no caches, but results.
    command.remove("HOME=/tmp")
    finished = run_mounted(script.strip(), [*command, str(root), "/app/app"], {})
    assert (finished.returncode, finished.stdout) == (0, PRINTED)
    assert finished.stderr.splitlines()[0].startswith("dovetail: warning: results are not cached")


def test_its_own_runtime_and_libraries_come_first(made: Made, tmp_path: Path) -> None:
    assert run(made.bundle / "app").stdout == PRINTED
    (tmp_path / "numpy.py").write_text("raise SystemExit(1)")
    assert run(made.bundle / "app", {"PYTHONPATH": str(tmp_path)}).stdout == PRINTED
    gone = made.app.with_name("libanswer.so")
    hidden = gone.rename(gone.with_suffix(".hidden"))
    try:
        assert run(made.bundle / "app").stdout == PRINTED
    finally:
        hidden.rename(gone)


def test_a_library_of_a_bundle_in_another_program(made: Made, tmp_path: Path) -> None:
    (tmp_path / "loading.c").write_text(LOADING_PROGRAM)
    command = ["gcc", tmp_path / "loading.c", "-o", tmp_path / "loading"]
    subprocess.run(command, check=True)
    command = [tmp_path / "loading", made.bundle / "libanswer.so"]
    answer, library = subprocess.check_output(command, env={}, text=True).splitlines()
    assert answer == "12"
    assert library.startswith(f"{made.bundle}/dovetail-runtime/lib/libpython3.")


def test_the_report(made: Made) -> None:
    report, bundle = made.report, made.bundle
    files = [path for path in bundle.rglob("*") if path.is_file() and not path.is_symlink()]
    assert report["size"] == sum(path.stat().st_size for path in files) <= 450 * MB
    assert report["size"] == sum(each["size"] for each in report["components"])
    assert (report["output"], report["packed_size"]) == (str(bundle), None)
    assert report["has_cpu_driver"]
    assert "libstdc++.so.6" in report["needed"]
    large = [sha256(path.read_bytes()).digest() for path in files if path.stat().st_size > MB]
    assert len(large) == len(set(large))


def test_what_is_left_out(made: Made) -> None:
    names = {path.name for path in made.bundle.rglob("*")}
    compilers = {"frontend", "codegen", "_native.cpython-311-x86_64-linux-gnu.so", "_plugin.so"}
    assert not names & {"tests", "test", "idlelib", "pip", "nanobind", "pytest", *compilers}
    assert not [name for name in names if name.endswith(".py")]
    clang = next(made.bundle.rglob("libcommon_clang.so*"))
    assert clang.stat().st_size < MB


def test_licences(made: Made) -> None:
    listed = {path.name for path in (made.bundle / "licences").iterdir()}
    own = {"program", "licences", "system libraries"}
    assert {each["name"] for each in made.report["components"]} <= listed | own
    assert all(list(folder.iterdir()) for folder in (made.bundle / "licences").iterdir())


def test_the_interpreter_of_a_bundle(made: Made) -> None:
    python = made.bundle / "dovetail-runtime" / "bin" / "python3"
    code = "import sys, dovetail.runtime; print(sys.prefix, dovetail.runtime.__file__)"
    finished = subprocess.run([python, "-c", code], capture_output=True, text=True, env={})
    runtime = str(made.bundle / "dovetail-runtime")
    assert [word.startswith(runtime) for word in finished.stdout.split()] == [True, True]


def test_a_runtime_of_another_user_is_not_used(made: Made, tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files to another user")
    (tmp_path / "app").hardlink_to(made.bundle / "app")
    (tmp_path / "libanswer.so").hardlink_to(made.bundle / "libanswer.so")
    runtime = tmp_path / "dovetail-runtime"
    (runtime / "bin").mkdir(parents=True)
    (runtime / "bin" / "python3").write_text("#!/bin/sh\necho wrong; exit 1\n")
    (runtime / "bin" / "python3").chmod(0o755)
    os.chown(runtime, 12345, 12345)
    assert run(tmp_path / "app", {"HOME": os.environ.get("HOME", "/")}).stdout == PRINTED


@pytest.mark.thorough
def test_an_archive_with_everything(made: Made, tmp_path: Path, capsys: Capture) -> None:
    archive = tmp_path / "app.tar.gz"
    assert main(["bundle", str(made.app), "-o", str(archive), "--opencl-c"]) == 0
    assert "MB packed\n" in capsys.readouterr().out
    assert archive.stat().st_size <= 200 * MB
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    clang = next((tmp_path / "app").rglob("libcommon_clang.so*"))
    assert clang.stat().st_size > 100 * MB
    assert run(tmp_path / "app" / "app").stdout == PRINTED


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["/bin/sh", "-o", "x"], "'/bin/sh' has no packaged device code"),
        (["/nowhere", "-o", "x"], "cannot read '/nowhere': No such file"),
        (["APP", "-o", "."], "'.' exists, and is not a bundle"),
        (["licences", "-o", "x"], "a bundle has a folder 'licences'"),
        (["APP", "-o", "x", "--processors=avx3"], "unknown kind of processor 'avx3'"),
        (["APP", "-o", "x", "--package=nothing"], "the package 'nothing' is not installed"),
        (["APP", "-o", "/proc/x.tar.gz"], "cannot write '/proc/x.tar.gz'"),
    ],
)
def test_errors(
    made: Made, words: list[str], problem: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.app.parent)
    before = list(Path().iterdir())
    assert main(["bundle", *(str(made.app) if word == "APP" else word for word in words)]) != 0
    assert problem in capsys.readouterr().err
    assert list(Path().iterdir()) == before


def test_a_library_that_is_not_found(made: Made, tmp_path: Path, capsys: Capture) -> None:
    search = (f"-L{made.app.parent}", "-lanswer")
    compile_with(made.app.with_suffix(".cpp"), *search, "-o", tmp_path / "app")
    assert main(["bundle", str(tmp_path / "app"), "-o", str(tmp_path / "x")]) == 1
    printed = capsys.readouterr().err
    assert "needs the library 'libanswer.so', which was not found" in printed
