"""What launching a kernel and waiting for it costs in the slowest of ten processes.

A process can be in a slow state for all its life, which comparing the fastest rounds, or rounds of
one process, does not show. So each side has ten processes of its own, which take turns.
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
from benchmarks.kept_process import in_turns, timed

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
    """A kernel, and over which range it is launched how often."""

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
    """The slowest of our processes beside pyopencl's slowest, and beside its typical one.

    pyopencl has slow processes, too: that is the driver's and the machine's.
    """
    figures: list[Figure] = []
    for case in CASES.values():
        taken = [
            (_microseconds("ours", case), _microseconds("bare", case)) for _ in range(PROCESSES)
        ]
        ours, bare = zip(*taken, strict=True)
        name = f"launch {case.name} and wait, slowest of {PROCESSES} processes : pyopencl"
        figures.append(_figure(f"{name}, slowest process", max(ours), max(bare), LIMIT))
        figures.append(_figure(f"{name}, typical process", max(ours), median(bare)))
    return figures


def _figure(name: str, ours: float, other: float, at_most: float | None = None) -> Figure:
    return Figure(name, ours / other, f"{ours:.1f} us : {other:.1f} us", at_most)


def _microseconds(side: str, case: Case) -> float:
    """What a launch takes in the typical round of a new process."""
    command = [sys.executable, "-m", "benchmarks.slowest_launch", side, case.kernel]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


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


def _typical_round(side: str, case: Case) -> float:
    launch = (_our_launch if side == "ours" else _bare_launch)(dovetail.build(SOURCE), case)

    def launch_often() -> None:
        for _ in range(case.launches):
            launch()

    (seconds,) = in_turns([timed(launch_often)], ROUNDS)
    return 1e6 * median(seconds) / case.launches


if __name__ == "__main__":
    print(_typical_round(sys.argv[1], CASES[sys.argv[2]]))
