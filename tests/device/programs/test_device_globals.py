"""Device globals from Python: by name, on each device and in each program for itself."""

import gc
import weakref
from typing import cast

import numpy as np
import pytest
from designs import Design

import dovetail
from dovetail import ArgumentError, CompileError, Device, Program, ProgramBuildError, Queue
from dovetail.runtime import devices
from dovetail.runtime.opencl.device import OpenCLDevice

pytestmark = [pytest.mark.device, pytest.mark.usefixtures("own_cpu_kind")]

HEADER = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
#define TASK SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
"""

SOURCE = (
    HEADER
    + """
namespace app {
exp_::device_global<int> counter{10};
exp_::device_global<float[4]> weights;
}
static exp_::device_global<int> own{3};
exp_::device_global<long> pair[2];
exp_::device_global<int> unused{9};
SYCL_EXTERNAL int next() { return app::counter += 1; }

TASK void count(int *out) { *out = next(); }
TASK void count_twice(int *out) { next(); *out = next() * 100 + own; }
TASK void weigh(float *out) { for (int i = 0; i < 4; ++i) *out += app::weights[i]; }
TASK void without_arguments() { app::counter = 77; pair[1] = 5; }
"""
)
SCOPED = (
    HEADER
    + """
exp_::device_global<int[2], decltype(exp_::properties(exp_::device_image_scope))> scoped{1, 2};
TASK void first(int *out) { *out = scoped[0] * 10 + scoped[1]; scoped[1] += 1; }
"""
)


@pytest.fixture(scope="module")
def data() -> bytes:
    """Each kernel has an image of its own."""
    return dovetail.build(SOURCE, device_code_split="per_kernel").to_bytes()


@pytest.fixture
def program(data: bytes) -> Program:
    return Program.from_bytes(data)


@pytest.fixture
def queue() -> Queue:
    return Queue()


def result(queue: Queue, program: Program, kernel: str) -> int:
    out = np.zeros(1, np.int32)
    queue.single_task(program[kernel], out).wait()
    return int(out[0])


def second_device() -> Device:
    """The same device once more, with a context of its own."""
    return Device(OpenCLDevice(cast(OpenCLDevice, devices()[0].native).handle))


def value(queue: Queue, program: Program, name: str = "counter") -> int:
    return int(program.device_globals[name].read(queue, np.int32)[0])


def test_images_share_a_variable(queue: Queue, program: Program) -> None:
    assert result(queue, program, "count") == 11
    assert result(queue, program, "count_twice") == 1303
    assert result(queue, program, "count") == 14


def test_host_and_kernels_share_a_variable(queue: Queue, program: Program) -> None:
    counter = program.device_globals["app::counter"]
    assert value(queue, program) == 10
    counter.write(queue, np.array([20], np.int32))
    assert result(queue, program, "count") == 21
    assert value(queue, program) == 21
    queue.single_task(program["without_arguments"]).wait()
    assert value(queue, program) == 77


def test_arrays(queue: Queue, program: Program) -> None:
    weights, pair = program.device_globals["weights"], program.device_globals["pair"]
    assert (weights.size, pair.size) == (16, 16)
    weights.write(queue, np.arange(4, dtype=np.float32))
    out = np.zeros(1, np.float32)
    queue.single_task(program["weigh"], out).wait()
    assert out[0] == 6
    queue.single_task(program["without_arguments"])
    assert list(pair.read(queue, np.int64)) == [0, 5]


def test_names(queue: Queue, program: Program) -> None:
    variables = program.device_globals
    assert sorted(each.name for each in variables.values()) == [
        "app::counter",
        "app::weights",
        "own",
        "pair",
        "unused",
    ]
    assert variables["counter"] is variables["app::counter"] is variables["_ZN3app7counterE"]
    assert "nothing" not in list(variables)
    assert value(queue, program, "own") == 3
    assert value(queue, program, "unused") == 9
    with pytest.raises(ArgumentError, match=r"no device global 'count'.* own, pair, unused"):
        variables["count"]


def test_statics_of_two_sources(queue: Queue) -> None:
    one = HEADER + "static exp_::device_global<int> own{1};\nTASK void f(int *p) { *p = own++; }\n"
    two = HEADER + "static exp_::device_global<int> own{5};\nTASK void g(int *p) { *p = own++; }\n"
    program = dovetail.build(one.replace("own++", "own += 1"), two.replace("own++", "own += 1"))
    assert [result(queue, program, "f"), result(queue, program, "g")] == [2, 6]
    with pytest.raises(ArgumentError, match="'own' is ambiguous"):
        program.device_globals["own"]
    read = [int(each.read(queue, "i4")[0]) for each in program.device_globals.values()]
    assert sorted(read) == [2, 6]


def test_programs_do_not_mix(queue: Queue, data: bytes) -> None:
    first, second = Program.from_bytes(data), Program.from_bytes(data)
    assert [result(queue, first, "count") for _ in range(3)] == [11, 12, 13]
    assert result(queue, second, "count") == 11
    assert (value(queue, first), value(queue, second)) == (13, 11)


def test_devices_do_not_mix(program: Program) -> None:
    first, second = Queue(), Queue(second_device())
    program.device_globals["counter"].write(first, np.array([50], np.int32))
    assert (result(first, program, "count"), result(second, program, "count")) == (51, 11)
    assert (value(first, program), value(second, program)) == (51, 11)


def test_queues_of_a_device_share(program: Program) -> None:
    first, second = Queue(), Queue()
    result(first, program, "count")
    assert value(second, program) == 11


def test_a_function_of_another_program_has_its_own_variables(
    queue: Queue, program: Program
) -> None:
    # Both have a variable of the same name, and are linked.
    caller = dovetail.build(
        HEADER
        + "namespace app { exp_::device_global<int> counter{500}; }\n"
        + "SYCL_EXTERNAL int next();\n"
        + "TASK void call(int *out) { *out = next() * 1000 + (app::counter += 1); }\n"
    )
    assert result(queue, caller, "call") == 11501
    assert result(queue, program, "count") == 12
    assert (value(queue, caller), value(queue, program)) == (501, 12)


def test_image_scope(queue: Queue) -> None:
    program = dovetail.build(SCOPED)
    scoped = program.device_globals["scoped"]
    assert scoped.has_image_scope
    assert list(scoped.read(queue, "i4")) == [1, 2]
    scoped.write(queue, np.array([4, 5], np.int32))
    assert result(queue, program, "first") == 45
    assert list(scoped.read(queue, "i4")) == [4, 6]
    other = Queue(second_device())
    assert (result(other, program, "first"), result(queue, program, "first")) == (12, 46)
    again = Program.from_bytes(program.to_bytes())
    assert result(queue, again, "first") == 12


def test_image_scope_in_two_images() -> None:
    source = SCOPED + "TASK void second(int *out) { *out = scoped[0]; }\n"
    with pytest.raises(CompileError, match=r"'scoped' has the property device_image_scope, but"):
        dovetail.build(source, device_code_split="per_kernel")


def test_image_scope_in_what_others_link(queue: Queue) -> None:
    library = dovetail.build(SCOPED + "SYCL_EXTERNAL int get() { return scoped[0]; }\n")
    caller = dovetail.build(
        HEADER + "SYCL_EXTERNAL int get();\nTASK void call(int *out) { *out = get(); }\n"
    )
    assert result(queue, library, "first") == 12
    with pytest.raises(ProgramBuildError, match="device global 'scoped' has the property"):
        result(queue, caller, "call")


CONDITIONAL = (
    HEADER
    + """
exp_::device_global<int> shared{1};
exp_::device_global<int> only_there{5};
TASK void run(int *out) {
  shared += 1;
  exp_::if_device_has<sycl::aspect::cpu>([=] { shared += 10; only_there += 1; })
      .otherwise([=] { shared += 100; });
  *out = shared;
}
"""
)


@pytest.mark.parametrize("targets", ["spir64", "x86_64", "spir64,x86_64"])
def test_what_is_called_on_some_devices(queue: Queue, targets: str, design: Design) -> None:
    program = design.build(CONDITIONAL, targets=targets)
    assert [result(queue, program, "run") for _ in range(2)] == [12, 23]
    program.device_globals["shared"].write(queue, np.array([1000], np.int32))
    assert result(queue, program, "run") == 1011
    assert value(queue, program, "only_there") == 8


def test_image_scope_in_what_is_called_on_some_devices(queue: Queue) -> None:
    """Refused where that would be in an image of its own."""
    source = CONDITIONAL.replace(
        "exp_::device_global<int> shared",
        "exp_::device_global<int, decltype(exp_::properties(exp_::device_image_scope))> shared",
    )
    with pytest.raises(CompileError, match="uses device global 'shared', which has one"):
        dovetail.build(source)
    program = dovetail.build(source, optional_features="conditional")
    assert [result(queue, program, "run") for _ in range(2)] == [12, 23]


def test_native_code(queue: Queue) -> None:
    program = dovetail.build(SOURCE, targets="x86_64")
    assert [result(queue, program, "count") for _ in range(2)] == [11, 12]
    assert value(queue, program) == 12
    scoped = dovetail.build(SCOPED, targets="x86_64")
    assert result(queue, scoped, "first") == 12
    assert list(scoped.device_globals["scoped"].read(queue, "i4")) == [1, 3]


def test_wrong_sizes_and_types(queue: Queue, program: Program) -> None:
    counter = program.device_globals["counter"]
    with pytest.raises(ArgumentError, match="expected an array of 4 bytes, got 8 bytes of int64"):
        counter.write(queue, np.array([1], np.int64))
    with pytest.raises(ArgumentError, match="4 bytes, not a whole number of 'float64'"):
        counter.read(queue, np.float64)
    with pytest.raises(ArgumentError, match="not a whole number of 'object'"):
        counter.read(queue, object)


def test_memory_goes_with_the_program(queue: Queue, data: bytes) -> None:
    program = Program.from_bytes(data)
    result(queue, program, "count")
    memory = weakref.ref(program.device_globals["counter"].memory)
    queue.wait()
    del program
    gc.collect()
    assert memory() is None


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("int f(); exp_::device_global<int> x{f()};", "no code runs to initialise it"),
        ("struct S { ~S(); }; exp_::device_global<S> x;", "its type is device copyable"),
        (
            "struct S { constexpr S() {} ~S() {} int i = 0; };"
            " template <> struct sycl::is_device_copyable<S> : std::true_type {};"
            " exp_::device_global<S> x;",
            "nobody would destroy the value",
        ),
        (
            "exp_::device_global<int, decltype(exp_::properties(exp_::sub_group_size<8>))> x;",
            "one of these properties is not for device_global",
        ),
        ("exp_::device_global<int, int> x;", "properties are a list of properties"),
        (
            "exp_::device_global<int, decltype(exp_::properties(exp_::host_access_none))> x;"
            " void f(sycl::queue q) { int i; q.copy(x, &i); }",
            "host_access forbids the host to read it",
        ),
        (
            "exp_::device_global<int, decltype(exp_::properties(exp_::host_access_read))> x;"
            " void f(sycl::queue q) { int i; q.copy(&i, x); }",
            "host_access forbids the host to write it",
        ),
    ],
)
def test_wrong_declarations(declaration: str, message: str) -> None:
    with pytest.raises(CompileError) as error:
        dovetail.build(HEADER + declaration + "\nTASK void k() {}\n")
    assert message in error.value.message
    assert "<stdin>:5:" in error.value.message


def test_the_first_design_of_lists(queue: Queue) -> None:
    program = dovetail.build(
        HEADER
        + """
using namespace sycl::ext::oneapi;
device_global<int,
  property_list_t<
    device_image_scope::value_t,
    host_access::value_t<host_access::access::read>>>
  dm1;
sycl::ext::oneapi::device_global<int, property_list<>> dm2{4};
TASK void k(int *out) { dm1 += 2; *out = dm1 * 10 + dm2; }
"""
    )
    assert result(queue, program, "k") == 24
    assert program.device_globals["dm1"].has_image_scope
    assert value(queue, program, "dm1") == 2
