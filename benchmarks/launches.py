"""The time of launching an empty kernel and waiting for it, compared with pyopencl and dpctl.

Each launch passes the kernel's only argument, a pointer; with two arrays in turn, it changes every
time. pyopencl and dpctl set it each time; Dovetail can skip that if it is unchanged.
"""

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from subprocess import run
from typing import Any

import numpy as np

import dovetail
from benchmarks.bare_opencl import bare_device, spirv_of
from benchmarks.dpctl import dpctl_process
from benchmarks.figure import Figure
from benchmarks.persistent_process import (
    PersistentProcess,
    Side,
    in_turns,
    persistent_process,
    timed,
)

SOURCE = """\
#include <sycl/sycl.hpp>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
void empty(float *) {}
"""
NEEDY = SOURCE.replace("void empty", "[[sycl::device_has(sycl::aspect::fp64)]] void empty")
LAUNCHES = 1000
# The median of many short rounds: with another process on the machine, a driver sometimes runs the
# kernel in the waiting thread, and both sides are faster or slower by a fifth.
ROUNDS = 30

PROGRAM = """\
#include <chrono>
#include <iostream>
#include <string>
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  float *one = sycl::malloc_shared<float>(64, queue), *two = sycl::malloc_shared<float>(64, queue);
  for (std::string name; std::getline(std::cin, name);) {
    float *arrays[] = {one, name == "one" ? one : two};
    auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < LAUNCHES; ++n) {
      float *memory = arrays[n % 2];
      queue.parallel_for(sycl::nd_range<1>(64, 16), [memory](sycl::nd_item<1>) {}).wait();
    }
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::cout << taken.count() << std::endl;
  }
}
"""


ARRAYS = ("one array", "two arrays in turn")
LIMITS = (("Python", "pyopencl", 1.2), ("Python", "dpctl", 1.1), ("C++", "pyopencl", 1.5))


def measure() -> list[Figure]:
    """Compare launches from Python and C++, including all checks, with pyopencl and dpctl."""
    program, needy = dovetail.build(SOURCE), dovetail.build(NEEDY)
    code, symbol = spirv_of(program.to_bytes()), program["empty"].symbol
    with _cpp_program() as cpp, dpctl_process(code, symbol, LAUNCHES) as dpctl:
        checked, *_ = _our_sides(needy)
        sides = [
            *_our_sides(program),
            *_bare_sides(code, symbol),
            *map(dpctl.side, ("one", "two")),
            *map(cpp.side, ("one", "two")),
            checked,
        ]
        *taken, with_checks = map(median, in_turns(sides, ROUNDS))
    names = [(who, arrays) for who in ("Python", "pyopencl", "dpctl", "C++") for arrays in ARRAYS]
    seconds = dict(zip(names, taken, strict=True))
    figures = [
        _figure(
            f"launch from {who} and wait, {arrays} : {other}",
            seconds[who, arrays],
            seconds[other, arrays],
            limit,
        )
        for who, other, limit in LIMITS
        for arrays in ARRAYS
    ]
    name = "launch and wait, requirements checked : none to check"
    return [*figures, _figure(name, with_checks, seconds["Python", ARRAYS[0]], 1.05)]


def _figure(name: str, one: float, other: float, at_most: float) -> Figure:
    measured = f"{1e6 * one / LAUNCHES:.1f} us : {1e6 * other / LAUNCHES:.1f} us"
    return Figure(name, one / other, measured, at_most)


def _our_sides(program: dovetail.Program) -> list[Side]:
    """Return sides with one array, and with two in turn."""
    queue, kernel = dovetail.Queue(), program["empty"]
    nd_range = dovetail.NdRange((64,), (16,))
    one, two = (queue.alloc((64,), np.float32, kind="shared") for _ in range(2))

    def launch(arrays: tuple[dovetail.UsmArray, dovetail.UsmArray]) -> None:
        for _ in range(LAUNCHES // 2):
            for memory in arrays:
                queue.parallel_for(kernel, nd_range, memory).wait()

    return [timed(lambda: launch((one, one))), timed(lambda: launch((one, two)))]


def _bare_sides(code: bytes, symbol: str) -> list[Side]:
    """Return the same sides with pyopencl."""
    import pyopencl as cl

    device = bare_device()
    kernel: Any = cl.Kernel(device.build(code), symbol)
    make_memory: Any = cl.csvm_empty
    one, two = (cl.SVM(make_memory(device.context, (64,), np.float32)) for _ in range(2))

    def launch(arrays: tuple[Any, Any]) -> None:
        for _ in range(LAUNCHES // 2):
            for memory in arrays:
                kernel.set_arg(0, memory)
                cl.enqueue_nd_range_kernel(device.queue, kernel, (64,), (16,)).wait()

    return [timed(lambda: launch((one, one))), timed(lambda: launch((one, two)))]


@contextmanager
def _cpp_program() -> Generator[PersistentProcess]:
    command = [sys.executable, "-m", "dovetail"]
    with tempfile.TemporaryDirectory() as name:
        source, app = Path(name) / "launches.cpp", Path(name) / "app"
        source.write_text(PROGRAM)
        macro = f"-DLAUNCHES={LAUNCHES}"
        run([*command, "c++", "-fsycl", macro, str(source), "-o", str(app)], check=True)
        with persistent_process([*command, "run", str(app)]) as process:
            yield process
