"""Kernels from C++ to results on a device: ranges, scalars, pointers, objects, local memory."""

import ctypes
from pathlib import Path

import numpy as np
import pytest
from designs import Design
from numpy.typing import NDArray

import dovetail
from dovetail import NdRange, Program, Queue
from dovetail.driver.building import OptimizationLevel
from dovetail.errors import ArgumentError

pytestmark = pytest.mark.device

PRELUDE = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
#define ND(N) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<N>))
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
"""


@pytest.fixture(scope="module")
def queue() -> Queue:
    return Queue()


def build(text: str) -> Program:
    return dovetail.build(PRELUDE + text)


@pytest.mark.parametrize("shape", [(24,), (6, 8), (2, 6, 4)])
def test_ranges(queue: Queue, shape: tuple[int, ...]) -> None:
    n = len(shape)
    program = build(f"""
        ND({n}) void where(unsigned *ids, unsigned *group_sizes) {{
          auto item = ext::this_work_item::get_nd_item<{n}>();
          size_t at = 0;
          unsigned packed = 0;
          for (int d = 0; d < {n}; ++d) {{
            at = at * item.get_global_range(d) + item.get_global_id(d);
            packed = packed * 100 + item.get_group(d) * 10 + item.get_local_id(d);
          }}
          ids[at] = at == item.get_global_linear_id() ? packed : ~0u;
          unsigned size = 0;
          for (int d = 0; d < {n}; ++d)
            size = size * 10 + item.get_local_range(d);
          group_sizes[at] = size;
        }}""")
    local = (4,) if n == 1 else (3, 4) if n == 2 else (1, 3, 2)
    ids = np.zeros(shape, np.uint32)
    sizes = np.zeros(shape, np.uint32)
    queue.parallel_for(program["where"], NdRange(shape, local), ids, sizes).wait()

    expected = np.zeros(shape, np.uint32)
    for index in np.ndindex(*shape):
        for at, size in zip(index, local, strict=True):
            expected[index] = expected[index] * 100 + at // size * 10 + at % size
    assert np.array_equal(ids, expected)
    assert (sizes == int("".join(map(str, local)))).all()


INTEGERS = {
    "signed char": (np.int8, -100),
    "unsigned char": (np.uint8, 200),
    "short": (np.int16, -30000),
    "unsigned short": (np.uint16, 60000),
    "int": (np.int32, -2_000_000_000),
    "unsigned": (np.uint32, 4_000_000_000),
    "long": (np.int64, -(1 << 62)),
    "unsigned long": (np.uint64, (1 << 64) - 1),
}
NUMBERS = {
    **INTEGERS,
    "bool": (np.bool_, True),
    "float": (np.float32, 1.5),
    "double": (np.float64, 1e300),
    "sycl::half": (np.float16, -2.5),
}


def test_scalars_of_every_width(queue: Queue, design: Design) -> None:
    names = {cpp: cpp.replace(" ", "_").replace("::", "_") for cpp in NUMBERS}
    program = design.build(
        PRELUDE
        + "\n".join(
            f"TASK void set_{name}({cpp} value, char, {cpp} *out) {{ *out = value; }}"
            for cpp, name in names.items()
        )
    )
    for cpp, (dtype, value) in NUMBERS.items():
        out: NDArray[np.generic] = np.zeros(1, dtype)
        queue.single_task(program[f"set_{names[cpp]}"], value, 1, out).wait()
        assert out[0] == value, cpp


def test_false_is_false(queue: Queue) -> None:
    program = build("TASK void k(bool a, bool b, int *out) { out[0] = a; out[1] = b; }")
    out = np.full(2, 7, np.int32)
    queue.single_task(program["k"], False, True, out).wait()
    assert out.tolist() == [0, 1]


class Pair(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int32), ("factors", ctypes.c_float * 3))


@pytest.mark.parametrize(
    "value",
    [
        Pair(2, (1.0, 2.0, 3.0)),
        bytes(Pair(2, (1.0, 2.0, 3.0))),
        {"count": 2, "factors": [1.0, 2.0, 3.0]},
        (2, (1.0, 2.0, 3.0)),
    ],
    ids=["ctypes", "bytes", "dict", "tuple"],
)
def test_small_object_by_value(queue: Queue, value: object) -> None:
    program = build("""
        struct Pair { int count; float factors[3]; };
        ND(1) void k(Pair p, float *out) {
          size_t i = ext::this_work_item::get_nd_item<1>().get_global_id(0);
          out[i] = p.count * p.factors[i];
        }""")
    out = np.zeros(3, np.float32)
    queue.parallel_for(program["k"], NdRange((3,), (1,)), value, out).wait()
    assert out.tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("value", [7, (7,), {"x": 7}, np.int32(7).tobytes()])
def test_class_of_one_number(queue: Queue, value: object) -> None:
    program = build("struct A { int x; }; TASK void k(A a, int *out) { *out = a.x; }")
    out = np.zeros(1, np.int32)
    queue.single_task(program["k"], value, out).wait()
    assert out[0] == 7


def test_arrays_of_objects(queue: Queue) -> None:
    program = build("""
        struct Item { char tag; double value; short row[3]; };
        ND(1) void k(Item *items) {
          Item &item = items[ext::this_work_item::get_nd_item<1>().get_global_id(0)];
          item.value *= item.tag;
          item.row[2] += 1;
        }""")
    layout = np.dtype([("tag", "i1"), ("value", "f8"), ("row", "i2", 3)], align=True)
    items = np.zeros(4, layout)
    items["tag"], items["value"] = 2, 1.5
    queue.parallel_for(program["k"], NdRange((4,), (2,)), items).wait()
    assert (items["value"] == 3.0).all()
    assert (items["row"][:, 2] == 1).all()

    packed = np.zeros(4, np.dtype([("tag", "i1"), ("value", "f8"), ("row", "i2", 3)]))
    with pytest.raises(ArgumentError, match="expected a multiple of 24 bytes"):
        queue.parallel_for(program["k"], NdRange((4,), (2,)), packed)
    other = np.zeros(4, np.dtype([("tag", "i1"), ("value", "i8"), ("row", "i2", 3)], align=True))
    with pytest.raises(ArgumentError, match="expected elements laid out as the class"):
        queue.parallel_for(program["k"], NdRange((4,), (2,)), other)


def test_object_with_a_pointer(queue: Queue) -> None:
    program = build("""
        struct View { float *data; unsigned long size; };
        TASK void k(View v) { for (unsigned long i = 0; i < v.size; ++i) v.data[i] = i; }""")
    memory = queue.alloc((8,), np.float32, kind="shared")
    queue.single_task(program["k"], {"data": memory.address, "size": 8}).wait()
    assert memory.numpy().tolist() == list(range(8))


def test_objects_whose_pointers_are_arguments_too(queue: Queue) -> None:
    program = build("""
        template <class T> struct
        [[__sycl_detail__::add_ir_attributes_kernel_parameter("my-height", 3)]] decorated {
          int offset; T *p; };
        TASK void k(int x, decorated<int> to, decorated<const int> from) {
          to.p[to.offset] += x * from.p[from.offset]; }""")
    to, read = queue.alloc(2, "i4"), queue.alloc(2, "i4")
    to.numpy()[:] = 0
    read.numpy()[:] = [5, 7]
    objects = [({"offset": i, "p": to.address}, {"offset": i, "p": read.address}) for i in (0, 1)]
    for x, arguments in ((10, objects[0]), (10, objects[1]), (1, objects[1])):
        queue.single_task(program["k"], x, *arguments).wait()
    assert to.numpy().tolist() == [50, 77]


def test_local_memory_reverses_each_group(queue: Queue) -> None:
    program = build("""
        ND(1) void reverse(int *data) {
          auto item = ext::this_work_item::get_nd_item<1>();
          auto tile = ext::group_local_memory_for_overwrite<int[16]>(item.get_group());
          size_t at = item.get_local_id(0);
          (*tile)[at] = data[item.get_global_id(0)];
          sycl::group_barrier(item.get_group());
          data[item.get_global_id(0)] = (*tile)[15 - at];
        }""")
    data = np.arange(64, dtype=np.int32)
    queue.parallel_for(program["reverse"], NdRange((64,), (16,)), data).wait()
    assert np.array_equal(data, np.arange(64).reshape(4, 16)[:, ::-1].ravel())


def test_two_local_declarations_do_not_overlap(queue: Queue) -> None:
    program = build("""
        ND(1) void k(int *out) {
          auto item = ext::this_work_item::get_nd_item<1>();
          auto group = item.get_group();
          auto a = ext::group_local_memory_for_overwrite<int[8]>(group);
          auto b = ext::group_local_memory_for_overwrite<int[8]>(group);
          size_t at = item.get_local_id(0);
          (*a)[at] = 1;
          (*b)[at] = 2;
          sycl::group_barrier(group);
          out[item.get_global_id(0)] = 10 * (*a)[7 - at] + (*b)[7 - at];
        }""")
    out = np.zeros(16, np.int32)
    queue.parallel_for(program["k"], NdRange((16,), (8,)), out).wait()
    assert (out == 12).all()


def test_math(queue: Queue) -> None:
    program = build("""
        ND(1) void k(const float *x, float *out) {
          size_t i = ext::this_work_item::get_nd_item<1>().get_global_id(0);
          out[i] = sycl::sqrt(x[i]) + sycl::sin(x[i]) + sycl::fmax(x[i], 2.0f);
        }""")
    x = np.linspace(0, 10, 64, dtype=np.float32)
    out = np.zeros_like(x)
    queue.parallel_for(program["k"], NdRange((64,), (16,)), x, out).wait()
    assert np.allclose(out, np.sqrt(x) + np.sin(x) + np.maximum(x, 2), rtol=1e-5)


def test_kernel_called_from_another(queue: Queue) -> None:
    program = build("""
        TASK void one(int *p) { *p += 1; }
        TASK void two(int *p) { one(p); one(p); }""")
    out = np.zeros(1, np.int32)
    queue.single_task(program["two"], out).wait()
    assert out[0] == 2


def test_template_kernels(queue: Queue) -> None:
    program = build("""
        template <class T> TASK void set(T *p) { *p = T(3); }
        template void set<int>(int *);
        template void set<float>(float *);""")
    integer, real = np.zeros(1, np.int32), np.zeros(1, np.float32)
    queue.single_task(program["set<int>"], integer).wait()
    queue.single_task(program["set<float>"], real).wait()
    assert (integer[0], real[0]) == (3, 3.0)


ENTRY = """
template <class Name, class F>
[[clang::sycl_kernel_entry_point(Name)]] void start(F object, int *out) { object(out); }
"""


def test_kernel_objects(queue: Queue) -> None:
    """Entry points as clang knows them; what started them in C++ says the range."""
    program = build(
        ENTRY
        + """
        struct Add {
          int by;
          void operator()(int *out) const {
            out[__spirv_BuiltInGlobalInvocationId(0)] += by;
          }
        };
        struct Name;
        void host() { start<Name>(Add{0}, nullptr); }"""
    )
    kernel = program["Name"]
    assert kernel.dimensions is None
    out = np.zeros(4, np.int32)
    queue.parallel_for(kernel, NdRange((4,), (2,)), 3, out).wait()
    queue.single_task(kernel, 5, out).wait()
    assert out.tolist() == [8, 3, 3, 3]


def test_kernel_object_that_needs_more_arguments(queue: Queue) -> None:
    program = build(
        ENTRY
        + """
        struct [[__sycl_detail__::__kernel_argument__("local")]] Local { char *p; };
        struct Object { Local memory; int n; void operator()(int *out) const { *out = n; } };
        struct Name;
        void host() { start<Name>(Object{}, nullptr); }"""
    )
    with pytest.raises(ArgumentError, match="'object' contains a 'Local', which needs its own"):
        queue.single_task(program["Name"], bytes(16), np.zeros(1, np.int32))


@pytest.mark.parametrize("level", [0, 1, 3, "s"])
def test_optimization_levels(queue: Queue, level: OptimizationLevel) -> None:
    text = (
        PRELUDE
        + """
        static int twice(int x) { return 2 * x; }
        ND(1) void k(int *p) {
          auto item = ext::this_work_item::get_nd_item<1>();
          auto tile = ext::group_local_memory_for_overwrite<int[4]>(item.get_group());
          (*tile)[item.get_local_id(0)] = twice(p[item.get_global_id(0)]);
          sycl::group_barrier(item.get_group());
          p[item.get_global_id(0)] = (*tile)[3 - item.get_local_id(0)];
        }"""
    )
    data = np.arange(4, dtype=np.int32)
    program = dovetail.build(text, optimization=level)
    queue.parallel_for(program["k"], NdRange((4,), (4,)), data).wait()
    assert data.tolist() == [6, 4, 2, 0]


def test_several_sources(queue: Queue, tmp_path: Path) -> None:
    (tmp_path / "lib.cpp").write_text(
        "#include <sycl/sycl.hpp>\nSYCL_EXTERNAL int triple(int x) { return 3 * x; }\n"
    )
    main = (
        PRELUDE
        + """
        SYCL_EXTERNAL int triple(int x);
        TASK void k(int *p) { *p = triple(*p); }"""
    )
    data = np.array([14], np.int32)
    program = dovetail.build(main, tmp_path / "lib.cpp")
    queue.single_task(program["k"], data).wait()
    assert data[0] == 42


def test_macros_and_include_folders(queue: Queue, tmp_path: Path) -> None:
    (tmp_path / "value.h").write_text("inline int value() { return VALUE; }\n")
    program = dovetail.build(
        PRELUDE + '#include "value.h"\nTASK void k(int *p) { *p = value(); }',
        macros={"VALUE": 9},
        include_directories=[tmp_path],
        standard="c++20",
    )
    data = np.zeros(1, np.int32)
    queue.single_task(program["k"], data).wait()
    assert data[0] == 9
