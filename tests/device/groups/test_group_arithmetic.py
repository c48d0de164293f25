"""Reductions and scans over sub-groups and work-groups, against what NumPy makes of the values."""

from collections.abc import Callable, Iterator
from functools import cache
from math import prod
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from variants import rows_one_in

import dovetail
from dovetail import NdRange, Program, Queue

pytestmark = pytest.mark.device

Numbers = NDArray[np.generic]
Groups = list[NDArray[np.intp]]


OPERATIONS: dict[str, np.ufunc] = {
    "plus": np.add,
    "multiplies": np.multiply,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
}
ALL = tuple(OPERATIONS)
FLOATING = ("plus", "multiplies", "minimum", "maximum")
INSTRUCTIONS = ("plus", "minimum", "maximum")
TRUTH = ("bit_and", "bit_or", "bit_xor", "logical_and", "logical_or")

DTYPES: dict[str, type[np.generic]] = {
    "char": np.int8,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned": np.uint32,
    "long long": np.int64,
    "unsigned long": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "sycl::half": np.float16,
    "bool": np.bool_,
}


class Way(NamedTuple):
    """How algorithms are compiled, and what is tried in that way: each has its share of types."""

    sub_group_size: int | None
    by_steps: bool
    operations: dict[str, tuple[str, ...]]


WAYS = {
    "as is": Way(
        None,
        by_steps=False,
        operations={
            "int": (*INSTRUCTIONS, "multiplies"),
            **dict.fromkeys(["unsigned", "long long", "unsigned long"], INSTRUCTIONS),
            **dict.fromkeys(["float", "double", "sycl::half"], INSTRUCTIONS),
            "bool": ("logical_and",),
        },
    ),
    "by 8": Way(8, by_steps=True, operations={"int": ALL, "sycl::half": FLOATING}),
    "by 16": Way(16, by_steps=True, operations={"char": ALL, "double": FLOATING, "bool": TRUTH}),
    "by 32": Way(
        32,
        by_steps=True,
        operations={"unsigned long": ALL, "unsigned short": INSTRUCTIONS, "float": FLOATING},
    ),
}
CASES = [
    (way, cpp, operation)
    for way, (_, _, by_type) in WAYS.items()
    for cpp, operations in by_type.items()
    for operation in operations
]

# Each kernel writes a row of results for each algorithm, first those of the sub-group.
SOURCE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;

template <typename T> struct rows {
  T *next;
  void put(T value) {
    auto item = ext::this_work_item::get_nd_item<2>();
    next[item.get_global_linear_id()] = value;
    next += item.get_global_range().size();
  }
};

template <typename Operation, typename T, typename Group>
void over(Group group, rows<T> &out, T value, T initial) {
  Operation operation;
  out.put(sycl::reduce_over_group(group, value, operation));
  out.put(sycl::inclusive_scan_over_group(group, value, operation));
  out.put(sycl::exclusive_scan_over_group(group, value, initial, operation));
}

template <typename Operation, typename T> void both(T *results, const T *values, T initial) {
  auto item = ext::this_work_item::get_nd_item<2>();
  rows<T> out{results};
  T value = values[item.get_global_linear_id()];
  over<Operation>(item.get_sub_group(), out, value, initial);
  over<Operation>(item.get_group(), out, value, initial);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<2>))
SIZE void places(unsigned *numbers) {
  auto item = ext::this_work_item::get_nd_item<2>();
  numbers[item.get_global_linear_id()] = item.get_sub_group().get_group_linear_id();
}
"""


def kernel_name(operation: str, cpp: str) -> str:
    return f"{operation}_{cpp}".replace(" ", "_").replace("sycl::", "")


def kernels(by_type: dict[str, tuple[str, ...]]) -> Iterator[str]:
    for cpp, operations in by_type.items():
        for operation in operations:
            # Both spellings of a function object, by turns.
            named = "" if operation in ("plus", "bit_or") else cpp
            yield (
                "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<2>))\n"
                f"SIZE void {kernel_name(operation, cpp)}({cpp} *out, const {cpp} *in, {cpp} first)"
                f" {{ both<sycl::{operation}<{named}>>(out, in, first); }}\n"
            )


# Some sub-groups are full and some are not; of 1024 work-items there are more than fit the scratch.
SHAPES = (
    NdRange((3, 1), (1, 1)),
    NdRange((1, 14), (1, 7)),
    NdRange((2, 37), (1, 37)),
    NdRange((6, 40), (3, 20)),
    NdRange((1, 1024), (1, 1024)),
)


@pytest.fixture(scope="module")
def queue() -> Queue:
    return Queue()


@pytest.fixture(scope="module")
def programs() -> Callable[[str], Program]:
    """The program for each way, built when it is first asked for."""

    @cache
    def build(name: str) -> Program:
        way = WAYS[name]
        size = way.sub_group_size
        macros: dict[str, str | int | None] = {
            "SIZE": f"[[sycl::reqd_sub_group_size({size})]]" if size else ""
        }
        if way.by_steps:
            macros["DOVETAIL_GROUPS_STEP_BY_STEP"] = None
        return dovetail.build(SOURCE + "".join(kernels(way.operations)), macros=macros)

    return build


def members(queue: Queue, program: Program, shape: NdRange) -> tuple[Groups, Groups]:
    """The work-items of each sub-group and of each work-group, by linear ids, in order."""
    count = prod(shape.global_size)
    columns = shape.global_size[1]
    group_rows, group_columns = shape.local_size or shape.global_size
    row, column = np.divmod(np.arange(count), columns)
    group = row // group_rows * (columns // group_columns) + column // group_columns
    numbers = np.zeros(count, np.uint32)
    queue.parallel_for(program["places"], shape, numbers).wait()
    groups = [np.flatnonzero(group == number) for number in range(group.max() + 1)]
    subs = [own[numbers[own] == each] for own in groups for each in np.unique(numbers[own])]
    return subs, groups


def expected(groups: Groups, values: Numbers, initial: ArrayLike, ufunc: np.ufunc) -> Numbers:
    def combine(left: object, right: object) -> Numbers:
        return np.asarray(ufunc(left, right)).astype(values.dtype)

    reduced, inclusive, exclusive = (np.zeros_like(values) for _ in range(3))
    for group in groups:
        scan = values[group]
        for i in range(1, len(scan)):
            scan[i] = combine(scan[i - 1], scan[i])
        reduced[group] = scan[-1]
        inclusive[group] = scan
        exclusive[group[0]] = initial
        exclusive[group[1:]] = combine(initial, scan[:-1])
    return np.stack([reduced, inclusive, exclusive])


def values_for(operation: str, count: int, dtype: np.dtype[np.generic]) -> Numbers:
    # All results are exact in half precision.
    numbers = np.arange(count)
    if operation == "multiplies":
        return np.where(numbers % 128 == 5, 2, 1).astype(dtype)
    if operation.startswith("logical"):
        return (numbers % 5 != (3 if operation == "logical_and" else 9)).astype(dtype)
    if dtype.kind in "iu" and operation != "plus":
        random = np.random.default_rng(count)
        return random.integers(0, 255, count).astype(np.uint8).view(np.int8).astype(dtype)
    return (numbers * 7 % 11 % 2 + 1).astype(dtype)


@pytest.mark.parametrize(("way", "cpp", "operation"), rows_one_in(3, CASES))
def test_arithmetic(
    queue: Queue, programs: Callable[[str], Program], way: str, cpp: str, operation: str
) -> None:
    program = programs(way)
    kernel = program[kernel_name(operation, cpp)]
    for shape in SHAPES:
        values = values_for(operation, prod(shape.global_size), np.dtype(DTYPES[cpp]))
        initial = np.ones((), values.dtype)[()]
        wanted = np.concatenate(
            [
                expected(groups, values, initial, OPERATIONS[operation])
                for groups in members(queue, program, shape)
            ]
        )
        out = np.zeros_like(wanted)
        queue.parallel_for(kernel, shape, out, values, initial).wait()
        assert np.array_equal(out, wanted), (shape.global_size, np.argwhere(out != wanted)[:4])
