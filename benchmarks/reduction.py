"""The speed of reductions, compared with the fastest of several OpenCL C kernels."""

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from subprocess import run
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.bare_opencl import BareDevice, bare_device
from benchmarks.figure import Figure
from benchmarks.persistent_process import (
    PersistentProcess,
    Side,
    in_turns,
    persistent_process,
    timed,
)

Array = NDArray[np.float32]

COUNT = 64 << 20
PAGE = 2 << 20
_QUALIFYING_ROUNDS = 5
_FINALISTS = 4
_ROUNDS = 60


@dataclass(frozen=True)
class Variant:
    """An OpenCL C kernel that leaves the sum of each work-group in `sums`."""

    name: str
    local: int
    groups: int
    body: str
    """Statements that define `sum`, the sum of a work-item, from `x`, `first`, `count` and `l`."""
    fold: str
    """Statements that combine the sums of a group's work-items, SIZE in number."""


TREE = """
  local float shared[SIZE];
  shared[l] = sum;
  for (int distance = SIZE / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < distance) shared[l] += shared[l + distance];
  }
  sum = shared[0];
"""
BUILTIN = "sum = work_group_reduce_add(sum);"

# Each group sums `count` floats from `first`.
SEQUENTIAL = """
  ulong part = count / SIZE;
  for (ulong i = 0; i < part; ++i) sum += x[first + l * part + i];
"""
SEQUENTIAL_VECTORS = """
  ulong part = count / SIZE / 16;
  global const float16 *v = (global const float16 *)(x + first) + l * part;
  float16 a = 0, b = 0, c = 0, d = 0;
  for (ulong i = 0; i < part; i += 4) { a += v[i]; b += v[i + 1]; c += v[i + 2]; d += v[i + 3]; }
  a = (a + b) + (c + d);
  float8 e = a.lo + a.hi;
  float4 f = e.lo + e.hi;
  sum = (f.x + f.y) + (f.z + f.w);
"""
STRIDED = """
  for (ulong i = 0; i < count; i += SIZE) sum += x[first + i + l];
"""
STRIDED_BY_FOUR = """
  float a = 0, b = 0, c = 0, d = 0;
  for (ulong i = first + l; i < first + count; i += 4 * SIZE) {
    a += x[i]; b += x[i + SIZE]; c += x[i + 2 * SIZE]; d += x[i + 3 * SIZE];
  }
  sum = (a + b) + (c + d);
"""
STRIDED_VECTORS = """
  global const float4 *v = (global const float4 *)(x + first);
  float4 a = 0, b = 0;
  for (ulong i = l; i < count / 4; i += 2 * SIZE) { a += v[i]; b += v[i + SIZE]; }
  a += b;
  sum = (a.x + a.y) + (a.z + a.w);
"""

VARIANTS = (
    *(
        Variant(f"sequential, {groups} groups of {local}", local, groups, SEQUENTIAL, TREE)
        for local, groups in ((1, 32), (16, 128))
    ),
    *(
        Variant(f"float16, {groups} groups of {local}", local, groups, SEQUENTIAL_VECTORS, TREE)
        for local, groups in ((1, 8), (1, 32), (1, 1024), (16, 32))
    ),
    *(
        Variant(f"strided, {groups} groups of {local}", local, groups, STRIDED, BUILTIN)
        for local, groups in ((16, 32), (16, 1024), (64, 1024), (256, 4096))
    ),
    *(
        Variant(
            f"strided by four, {groups} groups of {local}", local, groups, STRIDED_BY_FOUR, TREE
        )
        for local, groups in ((16, 8), (16, 32), (16, 128), (16, 1024), (64, 1024), (256, 4096))
    ),
    *(
        Variant(f"strided float4, {groups} groups of {local}", local, groups, STRIDED_VECTORS, TREE)
        for local, groups in ((16, 128), (64, 1024), (256, 4096))
    ),
    Variant("one item each, groups of 256", 256, COUNT // 256, "sum = x[first + l];", BUILTIN),
)

OPENCL = """\
kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))
void sums(global const float *x, global float *sums, ulong count) {
  ulong first = get_group_id(0) * count;
  int l = get_local_id(0);
  float sum = 0;
  BODY
  FOLD
  if (l == 0) sums[get_group_id(0)] = sum;
}
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void total(global const float *sums, global float *result, uint count) {
  float sum = 0;
  for (uint i = get_local_id(0); i < count; i += 256) sum += sums[i];
  sum = work_group_reduce_add(sum);
  if (get_local_id(0) == 0) *result += sum;
}
"""

# Both sides use host memory in large pages, since the page size affects the speed.
PROGRAM = """\
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <sycl/sycl.hpp>
#include <sys/mman.h>

int main() {
  sycl::queue queue{sycl::property::queue::in_order{}};
  float *x = static_cast<float *>(std::aligned_alloc(PAGE, COUNT * sizeof(float)));
  madvise(x, COUNT * sizeof(float), MADV_HUGEPAGE);
  for (std::size_t i = 0; i < COUNT; ++i)
    x[i] = i % 4 * 0.25f;
  float *sum = sycl::malloc_shared<float>(1, queue);
  auto add = [](float left, float right) { return left + right; };
  for (std::string name; std::getline(std::cin, name);) {
    auto start = std::chrono::steady_clock::now();
    *sum = 0;
    if (name == "range")
      queue.parallel_for(COUNT, sycl::reduction(sum, sycl::plus<>()),
                         [=](sycl::id<1> i, auto &total) { total += x[i]; });
    if (name == "any operation")
      queue.parallel_for(COUNT, sycl::reduction(sum, add),
                         [=](sycl::id<1> i, auto &total) { total.combine(x[i]); });
    if (name == "two dimensions")
      queue.parallel_for(sycl::range<2>(COUNT / 4096, 4096), sycl::reduction(sum, sycl::plus<>()),
                         [=](sycl::id<2> i, auto &total) { total += x[i[0] * 4096 + i[1]]; });
    if (name == "nd_range")
      queue.parallel_for(sycl::nd_range<1>(COUNT, 256), sycl::reduction(sum, sycl::plus<>()),
                         [=](sycl::nd_item<1> item, auto &total) {
                           total += x[item.get_global_id(0)];
                         });
    queue.wait();
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (std::abs(*sum / (COUNT * 0.375f) - 1) > 1e-3f)
      return 1;
    std::cout << taken.count() << std::endl;
  }
}
"""
FORMS = {
    "range": "a sum of 64 Mi floats",
    "any operation": "the same, operation without an identity",
    "two dimensions": "the same, over two dimensions",
    "nd_range": "the same, over an nd_range in groups of 256",
}
_LIMITS = {"range": 0.95}


def measure() -> list[Figure]:
    """Compare reductions with the OpenCL C kernel that is the fastest on this machine."""
    x = _array()
    device = bare_device()
    candidates = [(variant, _opencl_side(device, variant, x)) for variant in VARIANTS]
    taken = in_turns([side for _, side in candidates], _QUALIFYING_ROUNDS)
    order = sorted(range(len(candidates)), key=lambda number: min(taken[number]))
    finalists = [candidates[number] for number in order[:_FINALISTS]]
    with _cpp_program() as program:
        forms = [program.side(form) for form in FORMS]
        # Each side follows one of the other process, whose threads it may find still polling.
        sides = [
            side for pair in zip(forms, finalists, strict=True) for side in (pair[0], pair[1][1])
        ]
        times = in_turns(sides, _ROUNDS)
    theirs, variant = min(
        zip(times[1::2], (variant for variant, _ in finalists), strict=True),
        key=lambda pair: median(pair[0]),
    )
    return [
        _figure(form, ours, theirs, variant) for form, ours in zip(FORMS, times[::2], strict=True)
    ]


def _figure(form: str, ours: list[float], theirs: list[float], variant: Variant) -> Figure:
    # Memory bandwidth varies, so adjacent rounds are compared.
    speed = median(their / our for our, their in zip(ours, theirs, strict=True))
    measured = f"fastest {1000 * min(ours):.2f} ms : {1000 * min(theirs):.2f} ms ({variant.name})"
    name = f"speed of {FORMS[form]} : OpenCL C"
    return Figure(name, speed, measured, at_least=_LIMITS.get(form))


def _array() -> Array:
    """Return an array that starts at a page like that of the C++ program."""
    memory = np.empty(4 * COUNT + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE
    array = memory[start : start + 4 * COUNT].view(np.float32)
    array.reshape(-1, 4)[:] = np.array([0, 0.25, 0.5, 0.75], np.float32)
    return array


def _opencl_side(device: BareDevice, variant: Variant, x: Array) -> Side:
    import pyopencl as cl

    text = OPENCL.replace("BODY", variant.body).replace("FOLD", variant.fold)
    program = device.build(text.replace("SIZE", str(variant.local)), "-cl-std=CL3.0")
    svm: Any = cl.SVM
    # The total follows the sums, so that the function below keeps both alive.
    memory = np.zeros(variant.groups + 1, np.float32)
    sums, result = memory[:-1], memory[-1:]
    first, last = cl.Kernel(program, "sums"), cl.Kernel(program, "total")
    first.set_args(svm(x), svm(sums), np.uint64(COUNT // variant.groups))
    last.set_args(svm(sums), svm(result), np.uint32(variant.groups))

    def launch() -> None:
        memory[-1] = 0
        items = variant.groups * variant.local
        cl.enqueue_nd_range_kernel(device.queue, first, (items,), (variant.local,))
        cl.enqueue_nd_range_kernel(device.queue, last, (256,), (256,)).wait()
        assert abs(memory[-1] / (COUNT * 0.375) - 1) < 1e-3, variant.name

    return timed(launch)


@contextmanager
def _cpp_program() -> Generator[PersistentProcess]:
    macros = [f"-DCOUNT={COUNT}ul", f"-DPAGE={PAGE}"]
    with tempfile.TemporaryDirectory() as name:
        source, app = Path(name) / "sums.cpp", Path(name) / "app"
        source.write_text(PROGRAM)
        command = [sys.executable, "-m", "dovetail"]
        run([*command, "c++", "-fsycl", *macros, str(source), "-o", str(app)], check=True)
        with persistent_process([*command, "run", str(app)]) as process:
            yield process
