"""The kernels of the load test, and the effect of each on an array in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.uint32]

SOURCE = """
#include <sycl/sycl.hpp>
#include <cstdint>
namespace ext = sycl::ext::oneapi::experimental;
namespace work_item = sycl::ext::oneapi::this_work_item;
using word = std::uint32_t;
#define RANGE SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ext::nd_range_kernel<1>))
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ext::single_task_kernel))

struct line { word slope; word start; };

static std::size_t here() { return work_item::get_nd_item<1>().get_global_id(0); }

RANGE void draw(line l, word *x) { x[here()] = l.slope * word(here()) + l.start; }
RANGE void add(word *x, const word *y) { x[here()] += y[here()]; }
RANGE void mix(word *x, word factor) { x[here()] = x[here()] * factor + (x[here()] >> 7); }
RANGE void tail(word *x, word count) { if (here() < count) x[here()] ^= count; }
RANGE void turn(word *x) {
  auto item = work_item::get_nd_item<1>();
  auto tile = sycl::ext::oneapi::group_local_memory_for_overwrite<word[8]>(item.get_group());
  std::size_t i = item.get_local_id(0);
  (*tile)[i] = x[here()];
  sycl::group_barrier(item.get_group());
  x[here()] = (*tile)[7 - i];
}
TASK void first(word *x, word value) { x[0] = value; }
"""

WORK_GROUP = 8
"""All array sizes are multiples of it."""


@dataclass(frozen=True)
class Step:
    """One launch: the kernel, its arguments except the array, and its effect on the host."""

    kernel: str
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    effect: Callable[[Numbers], Numbers]


def random_step(random: np.random.Generator, size: int) -> Step:
    """Return a launch on an array of a size."""
    kind = int(random.integers(6))
    a, b = (int(value) for value in random.integers(1 << 32, size=2, dtype=np.uint32))
    places = np.arange(size, dtype=np.uint32)
    if kind == 0:
        line = {"slope": a, "start": b}
        return Step("draw", (line,), (), lambda x: np.uint32(a) * places + np.uint32(b))
    if kind == 1:
        other = random.integers(1 << 32, size=size, dtype=np.uint32)
        return Step("add", (), (other,), lambda x: x + other)
    if kind == 2:
        return Step("mix", (), (a,), lambda x: x * np.uint32(a) + (x >> np.uint32(7)))
    if kind == 3:
        count = a % (size + 1)
        return Step("tail", (), (count,), lambda x: np.where(places < count, x ^ count, x))
    if kind == 4:
        return Step("turn", (), (), lambda x: x.reshape(-1, WORK_GROUP)[:, ::-1].reshape(-1))
    return Step("first", (), (a,), lambda x: np.where(places == 0, np.uint32(a), x))
