"""The time of launching a kernel and waiting for it, in the slowest of ten processes.

A process can be in a slow state for its whole life, which the fastest rounds, or rounds of one
process, do not show. In each of ten processes Dovetail and pyopencl run in turns, and the process
with the largest ratio counts.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

import dovetail
from benchmarks.bare_opencl import bare_device, spirv_of
from benchmarks.figure import Figure
from benchmarks.persistent_process import Side, in_turns, timed

PROCESSES = 10
ROUNDS = 15
LIMIT = 1.5

SOURCE = """\
#include <sycl/sycl.hpp>
namespace syclext = sycl::ext::oneapi;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::experimental::nd_range_kernel<1>))
void empty(double *) {}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclext::experimental::nd_range_kernel<1>))
void scale(double *x) { x[syclext::this_work_item::get_nd_item<1>().get_global_id(0)] *= 1.5; }
"""


@dataclass(frozen=True)
class Case:
    """A kernel with its range and number of launches."""

    kernel: str
    name: str
    size: int
    group: int
    launches: int


CASES = {
    "empty": Case("empty", "an empty kernel", 64, 16, 1000),
    "scale": Case("scale", "1 Mi doubles", 1 << 20, 1024, 20),
}


def measure() -> list[Figure]:
    """Return the largest ratio of ten processes, for each kernel."""
    figures: list[Figure] = []
    for case in CASES.values():
        rounds = [_microseconds(case) for _ in range(PROCESSES)]
        ours, bare = max(rounds, key=lambda taken: taken[0] / taken[1])
        name = f"launch {case.name} and wait, slowest of {PROCESSES} processes : pyopencl"
        figures.append(Figure(name, ours / bare, f"{ours:.1f} us : {bare:.1f} us", LIMIT))
    return figures


def _microseconds(case: Case) -> tuple[float, float]:
    """Return the median times of a launch in a new process, of Dovetail and of pyopencl."""
    command = [sys.executable, "-m", "benchmarks.slowest_launch", case.kernel]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    ours, bare = map(float, output.split())
    return ours, bare


def _our_launch(program: dovetail.Program, case: Case) -> Callable[[], object]:
    queue, kernel = dovetail.Queue(), program[case.kernel]
    nd_range = dovetail.NdRange((case.size,), (case.group,))
    memory = queue.alloc((case.size,), np.float64, kind="shared")
    memory.numpy()[:] = 1
    return lambda: queue.parallel_for(kernel, nd_range, memory).wait()


def _bare_launch(program: dovetail.Program, case: Case) -> Callable[[], object]:
    import pyopencl as cl

    device = bare_device()
    built = device.build(spirv_of(program.to_bytes()))
    kernel: Any = cl.Kernel(built, program[case.kernel].symbol)
    make_memory: Any = cl.csvm_empty
    array = make_memory(device.context, (case.size,), np.float64)
    array[:] = 1
    memory: Any = cl.SVM(array)

    def launch() -> None:
        kernel.set_arg(0, memory)
        cl.enqueue_nd_range_kernel(device.queue, kernel, (case.size,), (case.group,)).wait()

    return launch


def _side(launch: Callable[[], object], launches: int) -> Side:
    def launch_often() -> None:
        for _ in range(launches):
            launch()

    return timed(launch_often)


def _typical_rounds(case: Case) -> list[float]:
    program = dovetail.build(SOURCE)
    launches = [_our_launch(program, case), _bare_launch(program, case)]
    taken = in_turns([_side(launch, case.launches) for launch in launches], ROUNDS)
    return [1e6 * median(seconds) / case.launches for seconds in taken]


if __name__ == "__main__":
    print(*_typical_rounds(CASES[sys.argv[1]]))
