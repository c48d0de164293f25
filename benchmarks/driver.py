"""The time of `dovetail c++`, compared with Intel's run-time compiler for the same kernels.

Each build runs in a separate process. Ours are measured from the start of the process until the
file is written; of Intel's, only the compilation counts, not the start of process and runtime.
"""

import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import dovetail
from benchmarks.figure import Figure
from benchmarks.intel_compiler import IntelCompiler
from benchmarks.persistent_process import Side, in_turns, timed
from dovetail.settings import CACHE, CACHE_DIR

START = """\
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))

static size_t position() { return syclext::this_work_item::get_nd_item<1>().get_global_id(0); }

"""
THREE_KERNELS = f"""\
{START}\
KERNEL void iota(float start, float *out) {{ out[position()] = start + position(); }}

KERNEL void saxpy(float a, const float *x, float *y) {{
  size_t i = position();
  y[i] = a * x[i] + y[i];
}}

KERNEL void length(const double *x, const double *y, double *out) {{
  size_t i = position();
  out[i] = sycl::sqrt(x[i] * x[i] + y[i] * y[i]);
}}
"""
# The same kernels, launched by host code.
PROGRAM = """\
#include <sycl/sycl.hpp>

int main() {
  constexpr size_t n = 1024;
  sycl::queue queue{sycl::property::queue::in_order{}};
  float *x = sycl::malloc_shared<float>(n, queue);
  float *y = sycl::malloc_shared<float>(n, queue);
  double *out = sycl::malloc_shared<double>(n, queue);
  queue.parallel_for(n, [=](sycl::id<1> i) { x[i] = 3 + i; });
  queue.parallel_for(n, [=](sycl::id<1> i) { y[i] = 2 * x[i] + y[i]; });
  queue.parallel_for(n, [=](sycl::id<1> i) {
    double a = x[i], b = y[i];
    out[i] = sycl::sqrt(a * a + b * b);
  });
  queue.wait();
}
"""
ASPECT_SETS = (
    "",
    "[[sycl::device_has(sycl::aspect::fp64)]] ",
    "[[sycl::device_has(sycl::aspect::fp16)]] ",
    "[[sycl::device_has(sycl::aspect::fp16, sycl::aspect::fp64)]] ",
)
MANY_KERNELS = 400
ROUNDS = 7
PAIRS = 50

COMMAND = (sys.executable, "-m", "dovetail", "c++")


@dataclass(frozen=True)
class Case:
    """A build, and the source that Intel's compiler compiles for comparison."""

    name: str
    words: Sequence[str]
    source: str
    compared: str
    cache: str
    """The cache setting; precompiled headers are cached in any case."""
    at_least: float


def measure() -> list[Figure]:
    """Compare builds with Intel's compiler, and `--version` with the start of Python."""
    # As in an installed package, for which pip compiles bytecode.
    assert dovetail.__file__
    compileall.compile_dir(Path(dovetail.__file__).parent, quiet=2)
    with tempfile.TemporaryDirectory() as name:
        return [*_builds(Path(name)), _version()]


def _version() -> Figure:
    """Measure `--version`, which build systems call repeatedly."""
    commands = [[*COMMAND, "--version"], [sys.executable, "-c", "pass"]]
    ours, theirs = in_turns([_process(command, os.environ) for command in commands], PAIRS)
    ratio = median(one / other for one, other in zip(ours, theirs, strict=True))
    measured = f"{1000 * median(ours):.1f} ms : {1000 * median(theirs):.1f} ms"
    return Figure("dovetail c++ --version : python -c pass", ratio, measured, at_most=2)


def _builds(folder: Path) -> list[Figure]:
    three, program, many = (folder / name for name in ("three.cpp", "program.cpp", "many.cpp"))
    three.write_text(THREE_KERNELS)
    program.write_text(PROGRAM)
    many.write_text(_many_kernels())
    syclbin = ("-fsyclbin",)
    cases = [
        Case("three kernels to a SYCLBIN", syclbin, str(three), str(three), "off", 8),
        Case("three kernels to a program", (), str(program), str(three), "off", 5),
        Case("three kernels, all cached", syclbin, str(three), str(three), "on", 20),
        Case(f"{MANY_KERNELS} kernels to a SYCLBIN", syclbin, str(many), str(many), "off", 2),
    ]
    intel = IntelCompiler(folder)
    theirs = {path: intel.side(path) for path in dict.fromkeys(c.compared for c in cases)}
    sides = [*theirs.values(), *(_ours(case, folder) for case in cases)]
    for side in sides:
        side()  # creates headers, fills the caches, and loads all files from disk
    taken = in_turns(sides, ROUNDS)
    by_intel = dict(zip(theirs, taken, strict=False))
    ours = taken[len(theirs) :]
    return [_figure(c, by_intel[c.compared], o) for c, o in zip(cases, ours, strict=True)]


def _many_kernels() -> str:
    kernels = [
        f"KERNEL {ASPECT_SETS[number % len(ASPECT_SETS)]}"
        f"void kernel{number}(float a, const float *x, float *y) {{\n"
        f"  size_t i = position();\n  y[i] = a * x[i] + {number};\n}}\n"
        for number in range(MANY_KERNELS)
    ]
    return START + "\n".join(kernels)


def _ours(case: Case, folder: Path) -> Side:
    settings = {CACHE_DIR.variable: str(folder / "cache"), CACHE.variable: case.cache}
    output = folder / case.name.replace(" ", "-")
    command = [*COMMAND, "-fsycl", *case.words, case.source, "-o", str(output)]
    return _process(command, {**os.environ, **settings})


def _process(command: Sequence[str], environment: Mapping[str, str]) -> Side:
    quiet = subprocess.DEVNULL
    return timed(lambda: subprocess.run(command, env=environment, check=True, stdout=quiet))


def _figure(case: Case, theirs: Sequence[float], ours: Sequence[float]) -> Figure:
    ratio = median(other / one for other, one in zip(theirs, ours, strict=True))
    measured = f"{median(theirs):.2f} s : {median(ours):.3f} s"
    name = f"{case.name}, Intel's run-time compiler : ours"
    return Figure(name, ratio, measured, at_least=case.at_least)
