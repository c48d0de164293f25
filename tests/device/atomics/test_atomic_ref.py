"""Atomic operations by many work-items at once: nothing is lost, for each type and memory."""

from collections.abc import Iterable

import numpy as np
import pytest
from designs import Design
from numpy.typing import DTypeLike, NDArray

import dovetail
from dovetail import NdRange, Program, Queue
from dovetail.driver.building import OptimizationLevel

pytestmark = pytest.mark.device

PRELUDE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
#define ND(N) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<N>))
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
using order = sycl::memory_order;
using scope = sycl::memory_scope;
using space = sycl::access::address_space;
template <typename T, order Order = order::relaxed, space Space = space::global_space>
using reference = sycl::atomic_ref<T, Order, scope::device, Space>;
inline unsigned number() { return ext::this_work_item::get_nd_item<1>().get_global_id(0); }
"""

INTEGERS = {
    "int": np.int32,
    "unsigned": np.uint32,
    "long": np.int64,
    "unsigned long": np.uint64,
    "long long": np.int64,
    "unsigned long long": np.uint64,
}
FLOATING = {"float": np.float32, "double": np.float64}
NUMBERS = {**INTEGERS, **FLOATING}
NEGATIVE = [name for name in NUMBERS if "unsigned" not in name]
ORDERS = ("relaxed", "acq_rel", "seq_cst")
SPACES = ("global_space", "generic_space")
COUNT = 4096
WORK = NdRange((COUNT,), (64,))


@pytest.fixture(scope="module")
def queue() -> Queue:
    return Queue()


def build(text: str, optimization: OptimizationLevel = 2) -> Program:
    return dovetail.build(PRELUDE + text, optimization=optimization)


def name_of(cpp: str) -> str:
    return cpp.replace(" ", "_")


def zeros(count: int, dtype: DTypeLike) -> NDArray[np.generic]:
    return np.zeros(count, dtype)


TEMPLATES = """
template <typename T> void arithmetic(T *out) {
  T value = static_cast<T>(number());
  reference<T>(out[0]).fetch_add(value);
  reference<T>(out[1]).fetch_sub(value);
  reference<T>(out[2]).fetch_min(value);
  reference<T>(out[3]).fetch_max(value);
  reference<T>(out[4]) += value;
  reference<T>(out[5]) -= value;
}

template <typename T> void negative(T *out) {
  T value = T(number()) - 2000;
  reference<T>(out[0]).fetch_min(value);
  reference<T>(out[1]).fetch_max(-value);
  reference<T>(out[2]).fetch_add(value);
}

template <typename T> void bits(T *out) {
  T bit = T(1) << number() % 30;
  reference<T>(out[0]).fetch_or(bit);
  reference<T>(out[1]).fetch_and(~bit);
  reference<T>(out[2]).fetch_xor(bit);
  reference<T>(out[3]) |= bit;
  reference<T>(out[4]) &= ~bit;
  reference<T>(out[5]) ^= bit;
}

template <typename T> void exchange(T *cell, T *seen) {
  seen[number()] = reference<T>(*cell).exchange(T(number() + 1));
}

template <typename T> void compare(T *cell) {
  reference<T, order::acq_rel> total(cell[0]);
  T before = total.load();
  while (!total.compare_exchange_weak(before, before + 2))
    ;
  while (!total.compare_exchange_strong(before, before + 2))
    ;
  reference<T> other(cell[1]);
  T expected = 7;
  if (other.compare_exchange_strong(expected, 9, order::seq_cst, order::acquire))
    reference<T>(cell[2]) += 1;
  else if (expected == 9)
    reference<T>(cell[3]) += 1;
}
"""


def kernels(function: str, types: Iterable[str], parameters: str, arguments: str) -> str:
    """A kernel for each type, named after function and type."""
    return "".join(
        f"ND(1) void {function}_{name_of(cpp)}({parameters.replace('T', cpp)}) "
        f"{{ {function}({arguments}); }}\n"
        for cpp in types
    )


@pytest.fixture(scope="module")
def program(design: Design) -> Program:
    return design.build(
        PRELUDE
        + TEMPLATES
        + kernels("arithmetic", NUMBERS, "T *out", "out")
        + kernels("negative", NEGATIVE, "T *out", "out")
        + kernels("bits", INTEGERS, "T *out", "out")
        + kernels("exchange", NUMBERS, "T *cell, T *seen", "cell, seen")
        + kernels("compare", NUMBERS, "T *cell", "cell")
    )


@pytest.mark.parametrize("cpp", NUMBERS)
def test_arithmetic(queue: Queue, program: Program, cpp: str) -> None:
    start, total = 1 << 23, COUNT * (COUNT - 1) // 2  # exact in single precision
    out = np.array([0, start, 100, 100, 0, start], NUMBERS[cpp])
    queue.parallel_for(program[f"arithmetic_{name_of(cpp)}"], WORK, out).wait()
    assert out.tolist() == [total, start - total, 0, COUNT - 1, total, start - total]


@pytest.mark.parametrize("cpp", NEGATIVE)
def test_negative_numbers(queue: Queue, program: Program, cpp: str) -> None:
    out = zeros(3, NUMBERS[cpp])
    queue.parallel_for(program[f"negative_{name_of(cpp)}"], WORK, out).wait()
    assert out.tolist() == [-2000, 2000, sum(range(-2000, COUNT - 2000))]


@pytest.mark.parametrize("cpp", INTEGERS)
def test_bits(queue: Queue, program: Program, cpp: str) -> None:
    ones = (1 << 30) - 1
    out = np.array([0, ones, 0, 0, ones, 0], INTEGERS[cpp])
    queue.parallel_for(program[f"bits_{name_of(cpp)}"], NdRange((30 * 64,), (64,)), out).wait()
    assert out.tolist() == [ones, 0, 0, ones, 0, 0]


@pytest.mark.parametrize("cpp", NUMBERS)
def test_exchange_hands_out_each_value_once(queue: Queue, program: Program, cpp: str) -> None:
    cell, seen = zeros(1, NUMBERS[cpp]), zeros(COUNT, NUMBERS[cpp])
    queue.parallel_for(program[f"exchange_{name_of(cpp)}"], WORK, cell, seen).wait()
    values = sorted([*seen.tolist(), *cell.tolist()])
    assert values == list(range(COUNT + 1))


@pytest.mark.parametrize("cpp", NUMBERS)
def test_compare_exchange(queue: Queue, program: Program, cpp: str) -> None:
    cell = np.array([0, 7, 0, 0], NUMBERS[cpp])
    queue.parallel_for(program[f"compare_{name_of(cpp)}"], WORK, cell).wait()
    assert cell.tolist() == [4 * COUNT, 9, 1, COUNT - 1]


@pytest.mark.parametrize("memory", SPACES)
def test_every_order_and_scope(queue: Queue, memory: str) -> None:
    scopes = ("work_item", "sub_group", "work_group", "device", "system")
    cells = [(order, scope) for order in ORDERS for scope in scopes]
    program = build(
        "ND(1) void k(int *out) {\n"
        + "".join(
            f"sycl::atomic_ref<int, order::{order}, scope::{scope}, space::{memory}> "
            f"a{i}(out[{i}]);"
            f"a{i}.fetch_add(1, order::{order}, scope::device);"
            f"sycl::atomic_fence(order::{order}, scope::{scope});\n"
            for i, (order, scope) in enumerate(cells)
        )
        + "}"
    )
    out = zeros(len(cells), np.int32)
    queue.parallel_for(program["k"], WORK, out).wait()
    assert out.tolist() == [COUNT] * len(cells)


@pytest.mark.parametrize("memory", ["local_space", "generic_space"])
def test_local_memory(queue: Queue, memory: str) -> None:
    program = build(f"""
        ND(1) void k(int *out) {{
          auto item = ext::this_work_item::get_nd_item<1>();
          auto sum = ext::group_local_memory<int>(item.get_group(), 0);
          sycl::atomic_ref<int, order::relaxed, scope::work_group, space::{memory}> total(*sum);
          total += int(item.get_local_id(0));
          sycl::group_barrier(item.get_group());
          out[item.get_global_id(0)] = total.load();
        }}""")
    out = zeros(COUNT, np.int32)
    queue.parallel_for(program["k"], WORK, out).wait()
    assert set(out.tolist()) == {64 * 63 // 2}


def test_pointers_move_by_elements(queue: Queue) -> None:
    program = build("""
        TASK void k(int *data, int **at, long *out) {
          reference<int *> pointer(*at);
          pointer = data;
          out[0] = pointer++ - data;
          out[1] = ++pointer - data;
          out[2] = pointer.fetch_add(5) - data;
          out[3] = pointer.fetch_sub(1) - data;
          out[4] = (pointer -= 2) - data;
          out[5] = *pointer.load();
        }""")
    data = np.arange(10, dtype=np.int32)
    out = zeros(6, np.int64)
    queue.single_task(program["k"], data, zeros(1, np.uint64), out).wait()
    assert out.tolist() == [0, 2, 2, 7, 4, 4]


def test_a_value_that_is_handed_over_is_complete(queue: Queue) -> None:
    """What is written before a release is seen after the acquire that reads it."""
    program = build("""
        ND(1) void k(int *data, int *flags, int *errors) {
          unsigned i = number();
          data[i] = int(i) + 1;
          reference<int, order::acq_rel> mine(flags[i]);
          mine.store(1);
          if (i > 0) {
            reference<int, order::acq_rel> other(flags[i - 1]);
            if (other.load() == 1 && data[i - 1] != int(i))
              reference<int>(*errors) += 1;
          }
        }""")
    errors = zeros(1, np.int32)
    data, flags = zeros(COUNT, np.int32), zeros(COUNT, np.int32)
    queue.parallel_for(program["k"], WORK, data, flags, errors).wait()
    assert errors[0] == 0


@pytest.mark.parametrize("level", [0, 1, 3])
def test_optimization_levels(queue: Queue, level: OptimizationLevel) -> None:
    program = build(
        """
        ND(1) void k(int *out, int by) {
          reference<int> total(*out);
          total.fetch_add(by, by == 1 ? order::relaxed : order::seq_cst);
        }""",
        optimization=level,
    )
    out = zeros(1, np.int32)
    queue.parallel_for(program["k"], WORK, out, 3).wait()
    assert out[0] == 3 * COUNT
