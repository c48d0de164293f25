"""Built programs as processes: ELF files, zip files as older versions wrote them, and bundles."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from fuzz.zip_programs import zip_program

from benchmarks.figure import Figure
from benchmarks.persistent_process import Side, in_turns, timed
from dovetail.bundling import BundleRequest, plan_bundle, write_bundle
from dovetail.driver import RunRequest, build_to_run
from dovetail.frontend import Source
from dovetail.image.executable import Executable
from dovetail.settings import CACHE_DIR

# With an argument, it does not use SYCL; else it prints the time of a launch in microseconds.
SOURCE = """\
#include <chrono>
#include <cstdio>
#include <sycl/sycl.hpp>
int main(int argc, char **) {
  if (argc > 1)
    return 0;
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  auto launch = [&] { queue.single_task([=] { *number = 42; }).wait(); };
  launch();
  constexpr int count = 2000;
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i)
    launch();
  std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("%.3f\\n", time.count() / count);
  return *number != 42;
}
"""
FIRST = SOURCE.replace("count = 2000", "count = 1")
PLAIN = "int main() { return 0; }\n"
ROUNDS = 20


def measure() -> list[Figure]:
    """Compare wall times of processes, and launch times that the programs print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # What the first runs build is in the cache of the others.
        os.environ[CACHE_DIR.variable] = str(folder / "cache")
        first, launches = _built(folder, "first", FIRST), _built(folder, "launches", SOURCE)
        plain = _plain(folder)
        ends = [_process(path) for path in first]
        for end in ends:
            end()  # loads all files from disk
        elf, archive = in_turns(ends, ROUNDS)
        bundled, installed = in_turns([_process(_bundled(first[0])), ends[0]], ROUNDS)
        started, bare = in_turns([_process(launches[0], "x"), _process(plain)], 10 * ROUNDS)
        elf_launch, zip_launch = in_turns([_printed(path) for path in launches], ROUNDS)
    return [
        _figure("built program, start to first launch done, ELF : zip", elf, archive, 1.05),
        _figure("start to first launch done, bundle : installed", bundled, installed, 1.1),
        _figure("launch and wait in a built program, ELF : zip", elf_launch, zip_launch, 1.05, 1e3),
        _figure("start of a program without use of SYCL : C++", started, bare, 1.5),
    ]


def _figure(
    name: str, ours: list[float], theirs: list[float], at_most: float, scale: float = 1.0
) -> Figure:
    mine, others = median(ours), median(theirs)
    unit = "us" if scale > 1 else "ms"
    measured = f"{1e3 * scale * mine:.1f} {unit} : {1e3 * scale * others:.1f} {unit}"
    return Figure(name, mine / others, measured, at_most)


def _built(folder: Path, name: str, source: str) -> tuple[Path, Path]:
    """Return the paths of the program as ELF and as zip."""
    elf, archive = folder / name, folder / f"{name}.zip"
    path = folder / f"{name}.cpp"
    path.write_text(source)
    command = [sys.executable, "-m", "dovetail", "c++", "-fsycl", str(path), "-o", str(elf)]
    subprocess.run(command, check=True)
    built = build_to_run(RunRequest((Source.from_file(str(path)),)))
    start = f"#!{sys.executable}\n".encode()
    archive.write_bytes(zip_program(Executable(built.program, built.host_library), start))
    archive.chmod(0o755)
    return elf, archive


def _bundled(program: Path) -> Path:
    """Return the program in a bundle; it has run once, which loads its files from disk."""
    folder = program.with_name("bundle")
    write_bundle(plan_bundle(BundleRequest(program)).entries, folder, lambda done, total: None)
    _process(folder / program.name)()
    return folder / program.name


def _plain(folder: Path) -> Path:
    """Return a C++ program that does nothing, with the libraries of others."""
    (folder / "plain.cpp").write_text(PLAIN)
    command = ["clang++-22", "-O2", folder / "plain.cpp", "-o"]
    subprocess.run([*command, folder / "plain"], check=True)
    return folder / "plain"


def _process(*command: str | Path) -> Side:
    return timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))


def _printed(program: Path) -> Side:
    """Return a side whose time is what the program prints, in seconds."""

    def measure_one() -> float:
        finished = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True)
        return float(finished.stdout) / 1e6

    return measure_one
