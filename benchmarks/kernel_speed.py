"""The speed of kernels, compared with OpenCL C, with default work-group sizes."""

import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from subprocess import run
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dovetail
from benchmarks.bare_opencl import bare_device
from benchmarks.figure import Figure
from benchmarks.persistent_process import (
    PersistentProcess,
    Side,
    in_turns,
    persistent_process,
    timed,
)

Array = NDArray[np.float32]


def typical_ratio(ours: list[float], theirs: list[float]) -> float:
    """Return the median ratio of adjacent rounds, for memory-bound kernels: bandwidth varies."""
    return median(one / other for one, other in zip(ours, theirs, strict=True))


def ratio_of_fastest(ours: list[float], theirs: list[float]) -> float:
    """Return the ratio of minima, for compute-bound kernels, whose undisturbed time is constant."""
    return min(ours) / min(theirs)


@dataclass(frozen=True)
class Case:
    """One kernel, with the same text in all three languages."""

    name: str
    what: str
    items: int
    rounds: int
    compare: Callable[[list[float], list[float]], float]
    body: str
    """Statements that use a, b, x, y and the work-item id i."""


STEPS = 2048
CASES = (
    Case(
        "saxpy",
        "SAXPY over 32 Mi floats",
        32 << 20,
        240,
        typical_ratio,
        "y[i] = a * x[i] + y[i];",
    ),
    Case(
        "chain",
        "a chain of multiply-adds",
        64 << 10,
        100,
        ratio_of_fastest,
        f"float v = y[i]; for (int n = 0; n < {STEPS}; ++n) v = v * b + a; y[i] = v;",
    ),
    Case(
        "chains",
        "four chains of multiply-adds",
        64 << 10,
        100,
        ratio_of_fastest,
        "float v = y[i], w = v + 1, s = v + 2, t = v + 3;"
        f" for (int n = 0; n < {STEPS}; ++n)"
        " { v = v * b + a; w = w * b + a; s = s * b + a; t = t * b + a; }"
        " y[i] = v + w + s + t;",
    ),
)
LARGEST = max(case.items for case in CASES)
PAGE = 2 << 20
A, B = 0.0001, 0.9999

OPENCL = """\
kernel void NAME(float a, float b, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  BODY
}
"""
KERNEL = """\
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void NAME(float a, float b, const float *x, float *y) {
  size_t i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  BODY
}
"""
# All sides use host memory in large pages, as NumPy does, since the page size affects the speed.
PROGRAM = """\
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sycl/sycl.hpp>
#include <sys/mman.h>

static float *array(std::size_t size) {
  float *start = static_cast<float *>(std::aligned_alloc(PAGE, size * sizeof(float)));
  madvise(start, size * sizeof(float), MADV_HUGEPAGE);
  std::fill(start, start + size, 1.0f);
  return start;
}

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  float *x = array(LARGEST), *y = array(LARGEST), a = FIRST, b = SECOND;
  for (std::string name; std::getline(std::cin, name);) {
    auto start = std::chrono::steady_clock::now();
LAUNCHES
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::cout << taken.count() << std::endl;
  }
}
"""
LAUNCH = """\
    if (name == "NAME")
      queue.parallel_for(ITEMS, [=](sycl::id<1> i) { BODY }).wait();
"""


def measure() -> list[Figure]:
    """Compare kernels launched from Python and from C++, including launch and wait."""
    x, y = _array(), _array()
    figures: list[Figure] = []
    with _cpp_program() as program:
        for case, python, opencl in zip(
            CASES, _python_sides(x, y), _opencl_sides(x, y), strict=True
        ):
            figures += _compare(case, python, program.side(case.name), opencl)
    return figures


def _array() -> Array:
    """Return an array that starts at a page like those of the C++ program."""
    memory = np.empty(4 * LARGEST + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE
    array = memory[start : start + 4 * LARGEST].view(np.float32)
    array[:] = 1
    return array


def _compare(case: Case, python: Side, cpp: Side, opencl: Side) -> list[Figure]:
    ours, programs, theirs = in_turns([python, cpp, opencl], case.rounds)
    figures: list[Figure] = []
    for language, taken in (("Python", ours), ("C++", programs)):
        measured = f"fastest {1000 * min(taken):.2f} ms : {1000 * min(theirs):.2f} ms"
        name = f"{case.what}, launched from {language} : OpenCL C"
        figures.append(Figure(name, case.compare(taken, theirs), measured, 1.03))
    return figures


def _python_sides(x: Array, y: Array) -> Generator[Side]:
    kernels = "".join(_fill(KERNEL, case) for case in CASES)
    program = dovetail.build(f"#include <sycl/sycl.hpp>\n{kernels}")
    queue = dovetail.Queue()

    def launch(case: Case) -> None:
        queue.parallel_for(program[case.name], case.items, A, B, x, y).wait()

    for case in CASES:
        yield timed(lambda case=case: launch(case))


def _opencl_sides(x: Array, y: Array) -> Generator[Side]:
    import pyopencl as cl

    device = bare_device()
    program = device.build("".join(_fill(OPENCL, case) for case in CASES))
    svm: Any = cl.SVM

    def launch(kernel: Any, items: int) -> None:
        kernel.set_args(np.float32(A), np.float32(B), svm(x), svm(y))
        cl.enqueue_nd_range_kernel(device.queue, kernel, (items,), None).wait()

    for case in CASES:
        kernel = cl.Kernel(program, case.name)
        yield timed(lambda kernel=kernel, items=case.items: launch(kernel, items))


@contextmanager
def _cpp_program() -> Generator[PersistentProcess]:
    launches = "".join(_fill(LAUNCH, case) for case in CASES)
    numbers = {"LARGEST": LARGEST, "PAGE": PAGE, "FIRST": A, "SECOND": B}
    macros = [f"-D{name}={number}" for name, number in numbers.items()]
    with tempfile.TemporaryDirectory() as name:
        source, app = Path(name) / "kernels.cpp", Path(name) / "app"
        source.write_text(PROGRAM.replace("LAUNCHES\n", launches))
        command = [sys.executable, "-m", "dovetail"]
        run([*command, "c++", "-fsycl", *macros, str(source), "-o", str(app)], check=True)
        with persistent_process([*command, "run", str(app)]) as process:
            yield process


def _fill(template: str, case: Case) -> str:
    text = template.replace("NAME", case.name).replace("ITEMS", str(case.items))
    return text.replace("BODY", case.body)
