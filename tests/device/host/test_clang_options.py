"""Options of clang for host code, in programs with kernels: sanitizers, link-time optimization and
split debug information."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

DOVETAIL = (sys.executable, "-m", "dovetail", "c++", "-fsycl")

KERNEL = """\
#include <sycl/sycl.hpp>
int twice(int x) {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = 2 * x; }).wait();
  int result = *number;
  sycl::free(number, queue);
  return result;
}
"""
MAIN = """\
#include <cstdio>
int twice(int x);
int once(int x) { return x; }
int main() { std::printf("%d\\n", twice(once(4))); }
"""
# The argument chooses a fault.
FAULTY = """
#include <cstdio>
#include <cstdlib>
#include <thread>
int shared;
int main(int argc, char **argv) {
  std::printf("%d\\n", twice(21));
  std::fflush(stdout);
  int fault = argc > 1 ? std::atoi(argv[1]) : 0;
  int *numbers = new int[2];
  if (fault != 1)
    delete[] numbers;
  if (fault == 2)
    std::printf("%d\\n", numbers[argc - 1]);
  if (fault == 3)
    std::printf("%d\\n", 0x7fffffff + argc);
  numbers = nullptr;
  std::thread other([=] { shared = 1; });
  if (fault == 4)
    shared = 2;
  other.join();
}
"""


# Drivers are not instrumented.
WITHOUT_DRIVERS = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}


def build(folder: Path, *words: str) -> None:
    command = [*DOVETAIL, *words]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")


def run(*command: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **WITHOUT_DRIVERS}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder, env=environment
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("options")
    (made / "kernel.cpp").write_text(KERNEL)
    (made / "main.cpp").write_text(MAIN)
    (made / "faulty.cpp").write_text(KERNEL + FAULTY)
    (made / "objects").mkdir()
    return made


THOROUGH = pytest.mark.thorough


@pytest.mark.parametrize(
    ("sanitizer", "faults"),
    [
        pytest.param(
            "address",
            {1: "LeakSanitizer: detected memory leaks", 2: "heap-use-after-free"},
            marks=THOROUGH,
        ),
        pytest.param("undefined", {3: "signed integer overflow"}, marks=THOROUGH),
        pytest.param("thread", {4: "ThreadSanitizer: data race"}, marks=THOROUGH),
    ],
)
def test_sanitizers(folder: Path, sanitizer: str, faults: dict[int, str]) -> None:
    runtimes = Path(os.path.realpath("/usr/bin/clang++-22")).parents[1]
    if not list(runtimes.glob("lib/clang/22/lib/linux/libclang_rt.*.a")):
        pytest.skip("clang's sanitizers are not installed (libclang-rt-22-dev)")
    name = f"faulty-{sanitizer}"
    build(folder, "-g", f"-fsanitize={sanitizer}", "faulty.cpp", "-o", name)
    finished = run(folder / name)
    # No fault is reported in the runtime, and none of Python's objects as leaks.
    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "42\n", "")
    for number, message in faults.items():
        finished = run(folder / name, str(number))
        assert finished.stdout.startswith("42\n")
        assert message in finished.stderr
        assert "faulty.cpp" in finished.stderr


@THOROUGH
def test_link_time_optimisation(folder: Path) -> None:
    build(folder, "-flto", "-fvisibility=hidden", "-c", "kernel.cpp", "-o", "objects/kernel.o")
    build(folder, "-flto=thin", "-c", "main.cpp", "-o", "objects/main.o")
    objects = ("objects/kernel.o", "objects/main.o")
    build(folder, "-flto", *objects, "-o", "optimised")
    build(folder, *objects, "-o", "plain")
    for name, has_function in (("optimised", False), ("plain", True)):
        assert run(folder / name).stdout == "8\n"
        # Clang's linker has removed the function that only the other source's code could call.
        assert (" T _Z4oncei" in run("nm", folder / name).stdout) == has_function
    build(folder, "-flto", "kernel.cpp", "main.cpp", "-o", "at-once")
    assert run(folder / "at-once").stdout == "8\n"


def test_split_debug_information(folder: Path) -> None:
    options = ("-g", "-O0", "-gsplit-dwarf")
    build(folder, *options, "-c", "kernel.cpp", "-o", "objects/split.o")
    build(folder, *options, "objects/split.o", "main.cpp", "-o", "split")
    # As clang names them.
    assert (folder / "objects" / "split.dwo").is_file()
    assert (folder / "split-main.dwo").is_file()
    if shutil.which("gdb"):
        words = ("-ex", "break twice", "-ex", "run", "-ex", "backtrace", "-ex", "kill")
        printed = run("gdb", "-q", "-batch", "-nx", *words, "split", folder=folder).stdout
        assert "twice (x=4) at kernel.cpp:" in printed
        assert "in main () at main.cpp:" in printed
