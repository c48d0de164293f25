"""Programs as ELF files: what other tools do with them, and how they find the runtime."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import answer_library
import pytest
from patience import PATIENCE

from dovetail.cli.main import main

pytestmark = pytest.mark.device

DOVETAIL = (sys.executable, "-m", "dovetail")
Capture = pytest.CaptureFixture[str]
Ending = tuple[int, str, str]

# `older` exists before the runtime, and is destroyed after `main`.
SOURCE = r"""
#include <clocale>
#include <csignal>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <sycl/sycl.hpp>
#include <unistd.h>

struct late_user {
  sycl::queue *queue = nullptr;
  int *number = nullptr;
  ~late_user() {
    if (!queue)
      return;
    queue->single_task([number = number] { ++*number; }).wait();
    std::cout << "destroyed " << *number << std::endl;
    delete queue;
  }
} older;

static bool has_python() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("libpython") != std::string::npos)
      return true;
  return false;
}

static int answer(int argument) {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = argument * 2; }).wait();
  int result = *number;
  sycl::free(number, queue);
  return result;
}

static void handler(int) {}

[[gnu::noinline]] static double busy_function(int count) {
  volatile double sum = 0;
  for (int i = 1; i < count; ++i)
    sum = sum + 1.0 / i;
  return sum;
}

int library_answer(int) __attribute__((weak));

int main(int argc, char **argv) {
  int local_value = 1234;
  auto host_lambda = [](int number) {
    return number * 3; // stop here
  };
  std::string action = argc > 1 ? argv[1] : "";
  if (action == "plain")
    return has_python() ? 1 : 7;
  if (action == "busy")
    return busy_function(50'000'000) > 0 ? host_lambda(2) + 1 : 1;
  if (action == "abort" && answer(1) == 2)
    std::abort();
  if (action == "fork") {
    if (pid_t child = fork()) {
      int status = 0;
      waitpid(child, &status, 0);
      std::cout << "child " << WEXITSTATUS(status) << std::endl;
    } else {
      _exit(answer(21));
    }
  }
  if (action == "late") {
    older.queue = new sycl::queue;
    older.number = sycl::malloc_shared<int>(1, *older.queue);
    *older.number = 5;
  }
  if (action == "signals") {
    std::signal(SIGABRT, handler);
    answer(1);
    bool are_kept = std::signal(SIGABRT, SIG_DFL) == handler;
    for (int number : {SIGINT, SIGSEGV, SIGPIPE})
      are_kept = are_kept && std::signal(number, SIG_DFL) == SIG_DFL;
    return are_kept && std::string(std::setlocale(LC_ALL, nullptr)) == "C" ? 7 : 1;
  }
  if (action == "library")
    return library_answer(4);
  try {
    std::cout << answer(argc) << ' ' << has_python() << std::endl;
  } catch (const sycl::exception &error) {
    std::cout << error.what() << std::endl;
    return 9;
  }
  return local_value - 1234;
}
"""


USED = (0, "2 1\n", "")


def run(*command: str | Path, environment: Mapping[str, str] = os.environ) -> Ending:
    finished = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env=environment
    )
    return finished.returncode, finished.stdout, finished.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an object of the program above."""
    made = tmp_path_factory.mktemp("elf")
    (made / "prog.cpp").write_text(SOURCE)
    words = ("c++", "-fsycl", "-g", "-O0", "-c", made / "prog.cpp", "-o", made / "prog.o")
    assert run(*DOVETAIL, *words) == (0, "", "")
    return made


def link(folder: Path, name: str, *options: str | Path) -> Path:
    words = ("c++", "-fsycl", folder / "prog.o", *options, "-o", folder / name)
    assert run(*DOVETAIL, *words) == (0, "", "")
    return folder / name


@pytest.fixture(scope="module")
def app(folder: Path) -> Path:
    return link(folder, "app")


def test_python_is_loaded_on_first_use(app: Path) -> None:
    assert run(app, "plain") == (7, "", "")
    assert run(app) == USED


def test_handlers_and_locale_are_the_programs(app: Path) -> None:
    assert run(app, "signals", environment={**os.environ, "LC_ALL": "C.UTF-8"}) == (7, "", "")


def test_a_fork_before_the_first_use(app: Path) -> None:
    assert run(app, "fork") == (0, "child 42\n4 1\n", "")


def test_static_objects_that_are_older_than_the_runtime(app: Path) -> None:
    assert run(app, "late") == (0, "4 1\ndestroyed 6\n", "")


def test_tools_for_elf_files(app: Path) -> None:
    status, libraries, _ = run("ldd", app)
    assert status == 0
    assert "libstdc++" in libraries
    assert "python" not in libraries
    assert " T main\n" in run("nm", app)[1]
    stripped, debug = app.with_name("stripped"), app.with_name("app.debug")
    assert run("strip", app, "-o", stripped)[0] == 0
    assert "no symbols" in run("nm", stripped)[2]
    assert run(stripped) == USED
    assert run("objcopy", "--only-keep-debug", app, debug)[0] == 0


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_a_debugger_in_a_lambda(app: Path) -> None:
    line = SOURCE[: SOURCE.index("// stop here")].count("\n") + 1
    commands = (f"break prog.cpp:{line}", "run busy", "print number", "backtrace", "kill")
    words = [word for each in commands for word in ("-ex", each)]
    _, printed, _ = run("gdb", "-q", "-batch", "-nx", *words, app)
    assert "$1 = 2" in printed
    assert "in main (argc=2" in printed


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_a_debugger(app: Path) -> None:
    commands = ["break prog.cpp:main", "run", "next", "info locals", "break answer", "continue"]
    words = [word for each in (*commands, "backtrace", "kill") for word in ("-ex", each)]
    _, printed, _ = run("gdb", "-q", "-batch", "-nx", *words, app)
    assert "Breakpoint 1, main (argc=1" in printed
    assert "local_value = 1234" in printed
    assert "answer (argument=1)" in printed
    assert "in main (argc=1" in printed


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_a_core_dump(app: Path, tmp_path: Path) -> None:
    if Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core":
        pytest.skip("this system does not write core dumps to the working directory")

    def allow_core_dumps() -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))

    ended = subprocess.run([app, "abort"], cwd=tmp_path, preexec_fn=allow_core_dumps)
    assert ended.returncode == -signal.SIGABRT
    cores = list(tmp_path.glob("core*"))
    if not cores:
        pytest.skip("core dumps are not allowed here")
    words = ("-ex", "backtrace", "-ex", "frame function main", "-ex", "info locals")
    _, printed, _ = run("gdb", "-q", "-batch", "-nx", *words, app, cores[0])
    assert "in main (argc=2" in printed
    assert "local_value = 1234" in printed
    # It is larger than 100 MB.
    cores[0].unlink()


def test_a_profile(app: Path, tmp_path: Path) -> None:
    build_id = re.search(r"Build ID: (\w+)", run("readelf", "-n", app)[1])
    assert build_id
    data = tmp_path / "perf.data"
    words = ("perf", "record", "-q", "-e", "cpu-clock", "-o", data, app, "busy")
    if not shutil.which("perf") or run(*words)[0] != 7:
        pytest.skip("perf is not installed, or cannot record here")
    assert f"{build_id[1]} {app}" in run("perf", "buildid-list", "-i", data)[1]
    assert "busy_function" in run("perf", "report", "--stdio", "-i", data)[1]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("-pie",), "DYN"),
        (("-no-pie",), "EXEC"),
        (("-fuse-ld=bfd",), "DYN"),
        (("-fuse-ld=gold",), "DYN"),
        (("-static-libstdc++", "-static-libgcc"), "DYN"),
        (("-Wl,--gc-sections", "-s"), "DYN"),
    ],
    ids=lambda given: "".join(given),
)
def test_options_of_the_linker(folder: Path, options: tuple[str, ...], kind: str) -> None:
    app = link(folder, "optional", *options)
    assert f" {kind} (" in run("readelf", "-h", app)[1]
    assert run(app, "plain") == (7, "", "")
    assert run(app) == USED
    assert run(app, "late") == (0, "4 1\ndestroyed 6\n", "")


def test_a_shared_library_beside_the_program(folder: Path) -> None:
    (folder / "lib.cpp").write_text(answer_library.SOURCE)
    words = ("c++", "-fsycl", "-shared", folder / "lib.cpp", "-o", folder / "libanswer.so")
    assert run(*DOVETAIL, *words) == (0, "", "")
    app = link(folder, "with_library", f"-L{folder}", "-lanswer", "-Wl,-rpath,$ORIGIN")
    assert run(app, "library") == (11, "", "")
    (folder / "moved").mkdir()
    for name in ("with_library", "libanswer.so"):
        (folder / name).rename(folder / "moved" / name)
    assert run(folder / "moved" / "with_library", "library") == (11, "", "")


def test_a_preloaded_library(app: Path, folder: Path) -> None:
    (folder / "preloaded.c").write_text(
        "#include <stdio.h>\n"
        '__attribute__((constructor)) static void begin(void) { fputs("preloaded\\n", stderr); }\n'
    )
    library = folder / "preloaded.so"
    subprocess.run(["gcc", "-shared", "-fPIC", folder / "preloaded.c", "-o", library], check=True)
    # Not in the processes that the runtime starts.
    status, out, errors = run(app, environment={**os.environ, "LD_PRELOAD": str(library)})
    assert (status, out) == (0, "2 1\n")
    assert errors.startswith("preloaded\n")


def test_started_by_dovetail_and_inspected(app: Path, capsys: Capture) -> None:
    assert run(*DOVETAIL, "run", app, "--", "late") == (0, "4 1\ndestroyed 6\n", "")
    assert main(["inspect", str(app)]) == 0
    assert "SPIR-V for spir64-unknown-unknown" in capsys.readouterr().out
    assert main(["inspect", "/bin/sh"]) == 1
    assert "has no packaged device code" in capsys.readouterr().err


def moved(app: Path, tmp_path: Path) -> Path:
    """Return a program whose recorded interpreter does not exist."""
    content, path = app.read_bytes(), tmp_path / "app"
    name = sys.executable.encode()
    assert content.count(name + b"\0") == 1
    path.write_bytes(content.replace(name + b"\0", name[:-1] + b"?\0"))
    path.chmod(0o755)
    return path


def without(*variables: str, **others: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in variables} | others


def test_the_runtime_is_found_elsewhere(app: Path, tmp_path: Path) -> None:
    lost = moved(app, tmp_path)
    venv = Path(sys.executable).parents[1]
    alone = without(PATH="/usr/bin:/bin")
    status, out, errors = run(lost, environment=alone)
    assert (status, errors) == (9, "")
    assert "which linked it, does not exist; set DOVETAIL_RUNTIME to a Python with" in out
    for value in (sys.executable, str(venv)):
        assert run(lost, environment={**alone, "DOVETAIL_RUNTIME": value}) == USED
    path = f"/usr/bin:{Path(sys.executable).parent}"
    assert run(lost, environment={**alone, "PATH": path}) == USED
    (tmp_path / "dovetail-runtime").symlink_to(venv)
    assert run(lost, environment=alone) == USED


def test_a_python_without_a_shared_library(app: Path, tmp_path: Path) -> None:
    # It has Dovetail, and says that it has no such library.
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "python3").chmod(0o755)
    environment = {**os.environ, "DOVETAIL_RUNTIME": str(tmp_path / "python3")}
    status, out, _ = run(app, environment=environment)
    assert status == 9
    assert "has no shared library; install it (on Debian the package libpython3-dev)" in out


@pytest.mark.parametrize(
    ("value", "reason"), [("/nowhere", "there is no Python"), ("/bin/false", "not installed for")]
)
def test_a_variable_that_names_no_runtime(app: Path, value: str, reason: str) -> None:
    status, out, errors = run(app, environment={**os.environ, "DOVETAIL_RUNTIME": value})
    assert (status, errors) == (9, "")
    assert out.startswith("no SYCL runtime: DOVETAIL_RUNTIME is set to '")
    assert reason in out
