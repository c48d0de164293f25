"""The arguments of the kernels in `kernels.cpp`, and the expected results by NumPy.

This module does not access a device: callers launch a check's kernel with its arguments, and pass
the resulting arrays to its judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Judge = Callable[[Sequence[Array]], bool]

_SUB_GROUP = 32
"""The sub-group size of NVIDIA's GPUs."""


@dataclass(frozen=True)
class KernelObject:
    """A class that is passed by value."""

    content: bytes
    pointers: tuple[tuple[int, Array], ...] = ()
    """The offsets of pointers, with the arrays they point to."""
    local_sizes: tuple[int, ...] = ()
    """The bytes of local memory of each local accessor."""


Argument = Array | int | float | bool | KernelObject


@dataclass(frozen=True)
class Check:
    """One launch."""

    kernel: str
    shape: tuple[int, ...]
    """In SYCL's order: the last dimension is the fastest."""
    group: tuple[int, ...]
    arguments: tuple[Argument, ...]
    judge: Judge
    """Checks the array arguments after the kernel, in order."""
    note: str = ""
    for_gpus: bool = False
    """Whether it requires features of GPUs: sub-groups of 32, groups that all run concurrently,
    billions of work-items in a short time."""

    @property
    def label(self) -> str:
        return f"{self.kernel} ({self.note})" if self.note else self.kernel


def all_checks() -> Iterator[Check]:
    """Yield all checks; those that can hang a faulty device come last."""
    yield from _places()
    yield from _local_memory()
    yield from _numbers()
    yield from _groups()
    yield from _global_atomics()
    yield from _local_atomics()
    yield from _hand_overs()


def equal(*expected: Array) -> Judge:
    """Return a judge that compares the last arrays with the expected ones."""

    def judge(results: Sequence[Array]) -> bool:
        pairs = zip(results[-len(expected) :], expected, strict=True)
        return all(np.array_equal(result.ravel(), wanted.ravel()) for result, wanted in pairs)

    return judge


def _places() -> Iterator[Check]:
    for shape, group in (((96,), (32,)), ((12, 20), (3, 4)), ((4, 6, 10), (2, 3, 5))):
        out = np.zeros((math.prod(shape), len(shape), 7), "u8")
        wanted = _expected_places(shape, group, first=1)
        yield Check(f"places_{len(shape)}d", shape, group, (out, 1), equal(wanted))
    for group in ((1, 1, 50), (5, 3, 4), (1, 1, 64), (1, 1, 7)):
        shape = (2 * group[0], group[1], 3 * group[2])
        items = math.prod(group)
        out = np.zeros((math.prod(shape), 5), "u4")
        wanted = _expected_sub_groups(shape, group)
        note = f"groups of {items}"
        judge = equal(wanted)
        yield Check("sub_group_places", shape, group, (out,), judge, note, for_gpus=True)
    above = 2048
    out, wanted = np.zeros(above, "u8"), (1 << 32) + np.arange(above, dtype="u8")
    shape = ((1 << 32) + above,)
    yield Check("far_places", shape, (1024,), (out,), equal(wanted), for_gpus=True)


def _expected_places(shape: tuple[int, ...], group: tuple[int, ...], first: int) -> Array:
    ids = np.stack([part.ravel() for part in np.indices(shape)], axis=1)
    counts = np.array(shape) // np.array(group)
    variable = [(first + i) % len(shape) for i in range(len(shape))]
    columns = (
        ids,
        np.broadcast_to(shape, ids.shape),
        ids % group,
        np.broadcast_to(group, ids.shape),
        ids // group,
        np.broadcast_to(counts, ids.shape),
        ids[:, variable],
    )
    return np.stack(columns, axis=2).astype("u8")


def _expected_sub_groups(shape: tuple[int, ...], group: tuple[int, ...]) -> Array:
    ids = np.stack([part.ravel() for part in np.indices(shape)], axis=1) % group
    linear = (ids[:, 0] * group[1] + ids[:, 1]) * group[2] + ids[:, 2]
    items = math.prod(group)
    number = linear // _SUB_GROUP
    columns = (
        linear % _SUB_GROUP,
        np.minimum(_SUB_GROUP, items - number * _SUB_GROUP),
        np.full_like(linear, _SUB_GROUP),
        number,
        np.full_like(linear, -(-items // _SUB_GROUP)),
    )
    return np.stack(columns, axis=1).astype("u4")


def _local_memory() -> Iterator[Check]:
    random = np.random.default_rng(0)
    matrix = random.random((64, 96), np.float32)
    yield Check(
        "transpose", matrix.shape, (16, 16), (matrix, np.zeros_like(matrix)), equal(matrix.T)
    )
    values = random.integers(0, 1000, 16 * 1024, "u4")
    sums = values.reshape(16, -1).sum(axis=1, dtype="u4")
    yield Check("sums_of_groups", values.shape, (1024,), (values, np.zeros(16, "u4")), equal(sums))
    for group in (256, 80):
        yield _sub_group_barriers(group)
    yield _local_accessors()


def _sub_group_barriers(group: int) -> Check:
    """Return a check in which each step reads the next work-item's value and adds one."""
    value = np.arange(4 * group, dtype="u4")
    local = value % group
    first = local // _SUB_GROUP * _SUB_GROUP
    size = np.minimum(_SUB_GROUP, group - first)
    neighbour = value - local + first + (local - first + 1) % size
    for _ in range(8):
        value = value[neighbour] + 1
    out = np.zeros(4 * group, "u4")
    return Check(
        "sub_group_barriers",
        out.shape,
        (group,),
        (out,),
        equal(value),
        f"groups of {group}",
        for_gpus=True,
    )


def _local_accessors() -> Check:
    group, groups = 256, 4
    ids = np.arange(group * groups, dtype="u4")
    across = ids // group * group + (group - 1 - ids % group)
    wanted = np.stack([3 * across, 5 * across, 7 * across, 0 * across], axis=1)
    # Two accessors, each an address and a size, and a pointer.
    content = np.array([4 * group, group, 8 * group, group, 0], "u8").tobytes()
    out = np.zeros_like(wanted)
    argument = KernelObject(content, ((32, out),), (4 * group, 8 * group))
    return Check(
        "local_accessors", (group * groups,), (group,), (argument,), equal(wanted), for_gpus=True
    )


def _numbers() -> Iterator[Check]:
    random = np.random.default_rng(1)
    x, y = (random.uniform(-8, 8, 256) for _ in range(2))
    shape, group = x.shape, (64,)
    wanted = x * y / (y + 3)
    yield Check("doubles", shape, group, (x, y, np.zeros_like(x)), equal(wanted))
    small_x, small_y = x.astype("f2"), y.astype("f2")
    exact = small_x.astype("f8") * small_y.astype("f8") + 0.5
    yield Check(
        "halves",
        shape,
        group,
        (small_x, small_y, np.zeros_like(small_x)),
        # The product may be rounded before the addition.
        lambda results: np.allclose(results[-1].astype("f8"), exact, 2**-10, 2**-5),
    )
    for kernel, kind in (("math_f32", "f4"), ("math_f64", "f8")):
        numbers = np.linspace(0.1, 3, 256).astype(kind)
        out = np.zeros((18, numbers.size), kind)
        yield Check(kernel, shape, group, (numbers, out), _near(_expected_math(numbers)))
    yield _every_kind_of_argument()


def _near(wanted: Array) -> Judge:
    """Return a judge that allows sixteen ulp, OpenCL's largest bound of these functions."""

    def judge(results: Sequence[Array]) -> bool:
        result = results[-1]
        precision = 16 * np.finfo(result.dtype).eps
        return bool(np.all(np.abs(result - wanted) <= precision * np.abs(wanted)))

    return judge


def _expected_math(numbers: Array) -> Array:
    x = numbers.astype("f8")
    rows = (
        *(np.sqrt(x), np.abs(x), np.floor(x), np.ceil(x), np.trunc(-x), x * x + 1),
        *(np.minimum(x, 2), np.maximum(x, 2), np.sin(x), np.cos(x), np.exp(x), np.log(x)),
        *(x**1.5, np.tanh(x), np.arctan2(x, 3), np.cbrt(x), np.fmod(x, 0.75)),
        np.array([math.erf(value) for value in x]),
    )
    return np.stack(rows)


def _every_kind_of_argument() -> Check:
    mixed = np.zeros(
        1, [("tag", "i1"), ("pad", "V3"), ("number", "i4"), ("pair", "2f4"), ("r", "f8")]
    )
    mixed[0] = (-3, b"", 1 << 20, (0.5, 0.25), 0.1)
    out = np.zeros(9)
    wanted = np.array([1, -5, -3, 1 << 20, 0.5, 0.25, 0.1, 65535, -(1 << 40)])
    arguments = (True, -5, KernelObject(mixed.tobytes()), 65535, -(1 << 40), out)
    return Check("arguments", (1,), (1,), arguments, equal(wanted))


def _groups() -> Iterator[Check]:
    random = np.random.default_rng(3)
    for group, (kind, code) in product((256, 80), (("u32", "u4"), ("f64", "f8"))):
        values = random.integers(0, 1000, 4 * group).astype(code)
        out = np.zeros((values.size, 5), code)
        yield Check(
            f"exchanges_{kind}",
            values.shape,
            (group,),
            (values, out),
            equal(_expected_exchanges(values, group)),
            f"groups of {group}",
            for_gpus=True,
        )
    for group, (kind, code) in product((256, 80, 7), (("u32", "u4"), ("i64", "i8"), ("f32", "f4"))):
        values = random.integers(0, 1000, 4 * group).astype(code)
        whole = _expected_group_results(values, values.size // group * [group])
        rest = [min(_SUB_GROUP, group - first) for first in range(0, group, _SUB_GROUP)]
        parts = _expected_group_results(values, values.size // group * rest)
        yield Check(
            f"groups_{kind}",
            values.shape,
            (group,),
            (values, np.zeros((values.size, 16), code)),
            equal(np.concatenate((whole, parts), axis=1)),
            f"groups of {group}",
            for_gpus=True,
        )


def _expected_exchanges(values: Array, group: int) -> Array:
    ids = np.arange(values.size)
    local = ids % group % _SUB_GROUP
    size = np.minimum(_SUB_GROUP, group - ids % group // _SUB_GROUP * _SUB_GROUP)
    first = ids - local
    partners = (
        (local + 1) % size,
        np.where(local + 2 < size, local + 2, local),
        np.where(local >= 3, local - 3, local),
        np.where((local ^ 5) < size, local ^ 5, local),
        size - 1,
    )
    return np.stack([values[first + partner] for partner in partners], axis=1)


def _expected_group_results(values: Array, sizes: Sequence[int]) -> Array:
    """Return the results of group algorithms in adjacent groups of these sizes."""
    results: list[Array] = []
    for part in np.split(values, np.cumsum(sizes)[:-1]):
        sums = np.cumsum(part, dtype=part.dtype)
        columns = (
            *(sums[-1], part.min(), part.max(), sums, sums - part, part[-1]),
            *((part > 990).any(), (part > 10).all()),
        )
        rows = [np.broadcast_to(column, part.shape) for column in columns]
        results.append(np.stack(rows, axis=1).astype(part.dtype))
    return np.concatenate(results)


_ORDERS = {"relaxed": 0, "acquire": 1, "release": 3, "acq_rel": 4, "seq_cst": 5}
_SCOPES = {"work_item": 0, "sub_group": 1, "work_group": 2, "device": 3, "system": 4}
_ITEMS = {"work_item": (1, 1), "sub_group": (32, 32), "work_group": (256, 256)}
"""The number of work-items that modify a word, and the group size, by scope."""
_MANY_ITEMS = (2048, 256)
"""The same for larger scopes."""
_KINDS = ("i32", "u32", "i64", "u64", "f32", "f64")


def _first_words(kind: str) -> Array:
    """Return the initial words, which distinguish signed and unsigned comparisons."""
    code = kind[0] + str(int(kind[1:]) // 8)
    if kind[0] == "u":
        large = 1 << (int(kind[1:]) - 1) | 5
        words = (5, 7, large, large, 11, 13, 17, 2 * large - 11, 1 << 20, 3)
    elif kind[0] == "i":
        words = (5, 7, -3, -3, 11, 13, 17, -1, 1 << 20, 3)
    else:
        words = (5, 7, 1.5, -2.5, 11, 13, 17, 19, 23, 29)
    return np.array(words, code)


def _changed(first: Array, items: int) -> Array:
    """Return the words after atomic operations of work-items with the values 1, 2, …"""
    values = np.arange(1, items + 1).astype(first.dtype)
    words = first.copy()
    total = values.sum(dtype=first.dtype)
    words[0] += total
    with np.errstate(over="ignore"):  # unsigned numbers wrap around
        words[1] -= total
    words[2] = min(words[2], values.min())
    words[3] = max(words[3], values.max())
    words[4] += total
    words[5] += words[6] + total
    words[6] = 0
    if first.dtype.kind != "f":
        words[7] &= ~np.bitwise_or.reduce(values)
        words[8] |= np.bitwise_or.reduce(values)
        words[9] ^= np.bitwise_xor.reduce(values)
    return words


def _same_words(wanted: Array) -> Judge:
    """Return a judge of words; of two exchanged words, only the sum is determined."""

    def judge(results: Sequence[Array]) -> bool:
        words = results[0].copy().reshape(-1, 10)
        words[:, 5] += words[:, 6]
        words[:, 6] = 0
        return np.array_equal(words, wanted)

    return judge


def _global_atomics() -> Iterator[Check]:
    for kind, order, scope in product(_KINDS, _ORDERS, _SCOPES):
        items, group = _ITEMS.get(scope, _MANY_ITEMS)
        first = _first_words(kind)
        words, wanted = np.tile(first, (2, 1)), np.tile(_changed(first, items), (2, 1))
        yield Check(
            f"atomics_{kind}",
            (items,),
            (group,),
            (words, _ORDERS[order], _SCOPES[scope]),
            _same_words(wanted),
            f"{order}, {scope}",
        )


def _local_atomics() -> Iterator[Check]:
    group, groups = 256, 4
    for kind, order in product(_KINDS, _ORDERS):
        first = _first_words(kind)
        words = np.tile(first, (groups, 1))
        wanted = np.tile(_changed(first, group), (groups, 1))
        yield Check(
            f"local_atomics_{kind}",
            (group * groups,),
            (group,),
            (words, _ORDERS[order]),
            _same_words(wanted),
            order,
        )


def _hand_overs() -> Iterator[Check]:
    values = np.random.default_rng(2).integers(0, 1000, 512 * 64, "u4")
    wanted = np.array([values.sum(dtype="u4")])
    parts, done, total = np.zeros(512, "u4"), np.zeros(1, "u4"), np.zeros(1, "u4")
    arguments = (values, parts, done, total)
    yield Check("last_group_adds", values.shape, (64,), arguments, equal(wanted))
    groups = 64
    handed = np.concatenate(([0], np.cumsum(np.arange(groups)))).astype("u4")
    for (release, acquire), scope in product(
        (("release", "acquire"), ("seq_cst", "seq_cst")), ("device", "system")
    ):
        numbers = (_ORDERS[release], _ORDERS[acquire], _SCOPES[scope])
        yield Check(
            "hand_on",
            (32 * groups,),
            (32,),
            (np.zeros(groups + 1, "u4"), np.zeros(1, "u4"), *numbers),
            equal(handed, np.array([groups], "u4")),
            f"{release}, {acquire}, {scope}",
            for_gpus=True,
        )
