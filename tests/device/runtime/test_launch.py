"""Launching kernels: ranges, arguments of all kinds, and what is refused."""

import ctypes
from collections.abc import Sequence
from typing import cast

import numpy as np
import pyopencl as cl
import pytest
from held_back import held_back
from patience import eventually

import dovetail
from dovetail.errors import ArgumentError, DeviceError
from dovetail.runtime import Device, NdRange, Program, Queue, UsmArray
from dovetail.runtime.backend import Code, PointerArgument
from dovetail.runtime.kernel import MAX_PREPARED_LAUNCHES
from dovetail.runtime.opencl.device import OpenCLDevice
from dovetail.runtime.opencl.program import SvmKernel

pytestmark = pytest.mark.device


def test_saxpy(queue: Queue, program: Program) -> None:
    x, y = np.arange(64, dtype="f4"), np.ones(64, "f4")
    event = queue.parallel_for(program["saxpy"], NdRange(64, 16), 2.0, x, y)
    event.wait()
    assert event.done
    assert y.tolist() == (2 * x + 1).tolist()


@pytest.mark.parametrize(
    ("name", "shape", "local"),
    [("place1", (6,), (3,)), ("place2", (2, 6), (1, 3)), ("place3", (2, 3, 5), None)],
)
def test_the_last_dimension_is_the_innermost(
    queue: Queue,
    program: Program,
    name: str,
    shape: tuple[int, ...],
    local: tuple[int, ...] | None,
) -> None:
    out = np.zeros(shape, "i4")
    queue.parallel_for(program[name], NdRange(shape, local), out).wait()
    weights = [10000, 100, 1][-len(shape) :]
    expected = [sum(map(np.multiply, place, weights)) for place in np.ndindex(shape)]
    assert out.ravel().tolist() == [int(value) for value in expected]


def test_the_work_group_size_arrives_in_order(queue: Queue, program: Program) -> None:
    out = np.zeros(3, "i4")
    queue.parallel_for(program["group_sizes"], NdRange((4, 6, 8), (1, 2, 4)), out).wait()
    assert out.tolist() == [1, 2, 4]


def test_a_plain_size_is_a_range(queue: Queue, program: Program) -> None:
    out = np.zeros((2, 3), "i4")
    queue.parallel_for(program["place2"], (2, 3), out).wait()
    assert out.tolist() == [[0, 1, 2], [100, 101, 102]]


@pytest.mark.parametrize("last", [False, True])
def test_scalars_of_every_width(queue: Queue, program: Program, last: bool) -> None:
    wholes, reals = np.zeros(9, "i8"), np.zeros(3, "f8")
    widths = [np.iinfo(t) for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")]
    values = [int(info.max if last else info.min) for info in widths]
    arguments = (*values, last, np.float16(0.5), np.float32(1.25), 0.1)
    queue.parallel_for(program["scalars"], 1, *arguments, wholes, reals).wait()
    assert wholes[:7].tolist() == values[:7]
    assert wholes.view("u8")[7] == values[7]
    assert wholes[8] == last
    assert reals.tolist() == [0.5, 1.25, 0.1]


class _Mixed(ctypes.Structure):
    _fields_ = (
        ("tag", ctypes.c_int8),
        ("number", ctypes.c_int32),
        ("pair", ctypes.c_float * 2),
        ("real", ctypes.c_double),
    )


_DTYPE = np.dtype([("tag", "i1"), ("number", "i4"), ("pair", "f4", 2), ("real", "f8")], align=True)


@pytest.mark.parametrize(
    "value",
    [
        (-3, 70000, (0.5, 1.5), 0.1),
        {"real": 0.1, "pair": np.array([0.5, 1.5], "f4"), "tag": -3, "number": 70000},
        _Mixed(-3, 70000, (0.5, 1.5), 0.1),
        bytes(_Mixed(-3, 70000, (0.5, 1.5), 0.1)),
        np.array([(-3, 70000, (0.5, 1.5), 0.1)], _DTYPE)[0],
    ],
    ids=["tuple", "mapping", "ctypes", "bytes", "numpy"],
)
def test_objects_by_value(queue: Queue, program: Program, value: object) -> None:
    out = np.zeros(5)
    queue.parallel_for(program["mixed"], 1, value, out).wait()
    assert out.tolist() == [-3, 70000, 0.5, 1.5, 0.1]


def test_single_task(queue: Queue, program: Program) -> None:
    out = np.zeros(1, "i4")
    queue.single_task(program["once"], out, 7).wait()
    assert out[0] == 7


def test_null_and_plain_addresses(queue: Queue, program: Program) -> None:
    out, memory = np.zeros(1, "i4"), queue.alloc(1, "i4")
    queue.single_task(program["is_null"], dovetail.NULL, out).wait()
    assert out[0] == 1
    queue.single_task(program["is_null"], memory.address, out).wait()
    assert out[0] == 0


def test_an_object_can_hold_an_address(queue: Queue, program: Program) -> None:
    memory = queue.alloc(1, "i4")
    queue.single_task(program["through"], {"address": memory.address, "value": 9}).wait()
    assert memory.numpy()[0] == 9


def test_work_is_done_in_order(queue: Queue, program: Program) -> None:
    out, one = np.zeros(256, "i4"), np.ones(256, "i4")
    for _ in range(20):
        queue.parallel_for(program["add"], 256, out, one)
    queue.wait()
    assert out.tolist() == [20] * 256


def test_an_array_given_twice_is_one_array(queue: Queue, program: Program) -> None:
    array = np.arange(8, dtype="i4")
    queue.parallel_for(program["add"], 8, array, array).wait()
    assert array.tolist() == [0, 2, 4, 6, 8, 10, 12, 14]


def test_overlapping_arrays_stay_overlapping(queue: Queue, program: Program) -> None:
    array = np.arange(8, dtype="i4")
    queue.parallel_for(program["add"], 4, array[4:], array[2:6]).wait()
    assert array[:4].tolist() == [0, 1, 2, 3]
    assert array[4:6].tolist() == [6, 8]


def test_an_empty_array(queue: Queue, program: Program) -> None:
    array = np.zeros(4, "i4")
    queue.single_task(program["is_null"], array[:0], array).wait()


def test_a_read_only_array_for_a_kernel_that_reads(queue: Queue, program: Program) -> None:
    x, y = np.ones(4, "f4"), np.ones(4, "f4")
    x.setflags(write=False)
    queue.parallel_for(program["saxpy"], 4, 1, x, y).wait()
    assert y.tolist() == [2, 2, 2, 2]


def test_read_only_parameters_are_not_copied_back(staged_device: Device, program: Program) -> None:
    queue, x = Queue(staged_device), np.ones(8, "f4")
    with held_back(queue):
        event = queue.parallel_for(program["saxpy"], 8, 1.0, x, np.ones(8, "f4"))
        x[:] = 5
    event.wait()
    assert x.tolist() == [5] * 8


@pytest.mark.parametrize(
    ("name", "nd_range", "message"),
    [
        ("saxpy", NdRange((8, 8)), "expected a range of 1 dimensions, got NdRange((8, 8))"),
        ("place3", NdRange(8), "expected a range of 3 dimensions"),
        ("once", NdRange(8), "'once' is a single task\nuse single_task"),
        ("saxpy", NdRange(1 << 20, 1 << 20), "has 1048576 work-items"),
    ],
)
def test_ranges_that_do_not_fit(
    queue: Queue, program: Program, name: str, nd_range: NdRange, message: str
) -> None:
    kernel = program[name]
    with pytest.raises(ArgumentError) as raised:
        queue.parallel_for(kernel, nd_range, *[None] * len(kernel.parameters))
    assert message in str(raised.value)


def test_a_range_kernel_is_no_single_task(queue: Queue, program: Program) -> None:
    with pytest.raises(ArgumentError, match="range of 1 dimensions, got a single task\nuse"):
        queue.single_task(program["place1"], None)


_F4 = np.ones(4, "f4")
_READ_ONLY = np.ones(4, "f4")
_READ_ONLY.setflags(write=False)
_X, _Y = "argument 2, 'x' (const float *), of kernel 'saxpy': ", "argument 3, 'y' (float *), "


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected 3 arguments (float a, const float * x, float * y), got 0; missing: 'a'"),
        ((1, _F4), "got 2; missing: 'y'"),
        ((1, _F4, _F4, 4), "got 4"),
        (("a", _F4, _F4), "argument 1, 'a' (float), of kernel 'saxpy': expected a number, got 'a'"),
        ((1e39, _F4, _F4), "expected a number in the range of float32, got 1e+39 of type float"),
        ((1, np.ones(4), _F4), _X + "expected an array of float32, got float64"),
        ((1, _F4, np.ones(8, "f4")[::2]), "the array is not contiguous\nuse numpy.asconti"),
        ((1, _F4, _READ_ONLY), _Y + "of kernel 'saxpy': the array is read-only"),
        ((1, [1, 2], _F4), _X + "expected an array, got [1, 2] of type list\ngive a NumPy array"),
        ((1, None, _F4), "expected an array, got None of type NoneType\ngive dovetail.NULL if"),
        ((1, 0, _F4), "expected an array, got 0 of type int\ngive dovetail.NULL if"),
        ((1, np.float32(1), _F4), "expected an array, got np.float32(1.0) of type float32"),
        ((1, "text", _F4), "expected an array, got 'text' of type str"),
        ((1, -1, _F4), "expected an array, got -1 of type int"),
        ((1, True, _F4), "expected an array, got True of type bool"),
    ],
)
def test_arguments_that_do_not_fit(
    queue: Queue, program: Program, arguments: tuple[object, ...], message: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        queue.parallel_for(program["saxpy"], 4, *arguments)
    assert message in str(raised.value)
    queue.wait()


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ((), TypeError),
        ((1, _F4, _F4, 4), TypeError),
        (("a", _F4, _F4), TypeError),
        ((1, np.ones(4), _F4), TypeError),
        ((1, [1, 2], _F4), TypeError),
        ((1, None, _F4), TypeError),
        ((1e39, _F4, _F4), ValueError),
        ((1, _F4, np.ones(8, "f4")[::2]), ValueError),
        ((1, _F4, _READ_ONLY), ValueError),
    ],
)
def test_wrong_arguments_are_errors_of_python_too(
    queue: Queue, program: Program, arguments: tuple[object, ...], kind: type[Exception]
) -> None:
    other = ValueError if kind is TypeError else TypeError
    with pytest.raises(kind) as raised:
        queue.parallel_for(program["saxpy"], 4, *arguments)
    assert isinstance(raised.value, ArgumentError)
    assert not isinstance(raised.value, other)


def test_wrong_ranges_names_and_kernels_are_errors_of_python_too(
    queue: Queue, program: Program
) -> None:
    with pytest.raises(ValueError, match="is not positive"):
        NdRange(0)
    with pytest.raises(KeyError) as raised:
        program["sax"]
    assert "did you mean 'saxpy'?" in str(raised.value), "not as a KeyError shows its key"
    with pytest.raises(TypeError, match="expected a Kernel"):
        queue.single_task("saxpy")  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="use parallel_for"):
        queue.single_task(program["saxpy"], 1, _F4, _F4)
    assert "none" not in program.specialization_constants


def test_memory_of_another_device(device: Device, staged_device: Device, program: Program) -> None:
    memory = Queue(staged_device).alloc(4, "i4")
    with pytest.raises(ArgumentError, match="expected an array on"):
        Queue(device).parallel_for(program["place1"], 4, memory)


def test_the_drivers_refusal_of_an_argument_is_named(device: Device, program: Program) -> None:
    native = program["once"].launch_on(device)
    with pytest.raises(DeviceError, match="argument 2 of kernel 'once': INVALID_ARG_SIZE"):
        native.kernel.set_bytes(1, b"12345")


def test_arguments_that_change_from_launch_to_launch(queue: Queue, program: Program) -> None:
    """A kernel object keeps what it was given last; nothing of that may show."""
    fill, first, second = program["fill"], queue.alloc(4, "i4"), queue.alloc(4, "i4")
    plain, zeros = np.zeros(4, "i4"), np.zeros(4, "i4")
    for array in (first, second):
        array.copy_from(zeros)
    targets = [first, first, second, first, plain, first, plain, second]
    for value, target in enumerate(targets, start=1):
        queue.parallel_for(fill, 4, target, value).wait()
        values = target.to_numpy() if isinstance(target, UsmArray) else target
        assert list(values) == [value] * 4
    queue.parallel_for(fill, 4, first, 9)
    queue.parallel_for(fill, 4, second, 9).wait()
    assert list(first.to_numpy()) == list(second.to_numpy()) == [9] * 4


def test_a_launch_that_was_refused_leaves_nothing_behind(queue: Queue, program: Program) -> None:
    once, first, second = program["once"], queue.alloc(1, "i4"), queue.alloc(1, "i4")
    queue.single_task(once, first, 1).wait()
    with pytest.raises(ArgumentError, match="expected an integer"):
        queue.single_task(once, second, "x")
    queue.single_task(once, first, 2).wait()
    queue.single_task(once, second, 2).wait()
    assert (first.to_numpy()[0], second.to_numpy()[0]) == (2, 2)


def test_memory_that_was_freed_is_refused_though_it_was_used_last(
    queue: Queue, program: Program
) -> None:
    memory = queue.alloc(1, "i4")
    queue.single_task(program["once"], memory, 1).wait()
    memory.free()
    with pytest.raises(ArgumentError, match="freed"):
        queue.single_task(program["once"], memory, 1)


def test_memory_with_the_address_of_memory_that_is_gone(queue: Queue, program: Program) -> None:
    for value in range(100):
        memory = queue.alloc(1, "i4")
        queue.single_task(program["once"], memory, value).wait()
        assert memory.to_numpy()[0] == value
        memory.free()


def test_a_launch_in_the_middle_of_a_launch(queue: Queue, program: Program) -> None:
    """Arguments can be objects that do anything, and so can signals' handlers and finalizers."""
    fill, outer, inner = program["fill"], queue.alloc(4, "i4"), queue.alloc(4, "i4")

    class Number:
        def __index__(self) -> int:
            queue.parallel_for(fill, 4, inner, 5).wait()
            return 6

    for _ in range(3):
        queue.parallel_for(fill, 4, outer, Number()).wait()
        assert list(outer.to_numpy()) == [6] * 4
        assert list(inner.to_numpy()) == [5] * 4


def test_a_launch_while_the_same_code_is_being_built(
    device: Device, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a signal's handler would: in the same thread, in the middle of the build."""
    fresh = Program.from_bytes(program.to_bytes())
    target = Device(OpenCLDevice(cast(OpenCLDevice, device.native).handle))
    build, results = target.native.build, list[int]()

    def building(parts: Sequence[Code]) -> object:
        monkeypatch.undo()
        data = np.zeros(1, "i4")
        Queue(target).single_task(fresh["once"], data, 7).wait()
        results.append(int(data[0]))
        return build(parts)

    monkeypatch.setenv("DOVETAIL_CACHE", "off")
    monkeypatch.setattr(target.native, "build", building)
    data = np.zeros(1, "i4")
    Queue(target).single_task(fresh["once"], data, 8).wait()
    assert (results, data[0]) == ([7], 8)


def test_a_cpu_starts_work_although_nobody_tells_it_to(queue: Queue, program: Program) -> None:
    """`OpenCLQueue.flush` relies on it."""
    native = queue.pending.queue
    event = queue.single_task(program["once"], queue.alloc(1, "i4"), 1)
    assert event.natives
    (driver_event,) = event.natives
    query, complete = cl.event_info.COMMAND_EXECUTION_STATUS, cl.command_execution_status.COMPLETE
    assert eventually(lambda: driver_event.get_info(query) <= complete)
    assert native.is_done(driver_event)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_arrays_in_turn_are_soon_not_set_any_more(
    device: Device, program: Program, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    queue, kernel = Queue(device), program["place1"]
    arrays, items, given = [queue.alloc(4, "i4") for _ in range(count)], NdRange(4), list[object]()
    set_pointer = SvmKernel.set_pointer

    def noting(self: SvmKernel, index: int, pointer: PointerArgument, /) -> None:
        given.append(pointer)
        set_pointer(self, index, pointer)

    monkeypatch.setattr(SvmKernel, "set_pointer", noting)
    for round_number in range(40):
        for number, array in enumerate(arrays):
            array.numpy()[:] = -1
            queue.parallel_for(kernel, items, array).wait()
            assert array.numpy().tolist() == [0, 1, 2, 3], (round_number, number)
        if round_number == 30:
            given.clear()
    assert not given
    assert len(kernel.idle[device]) <= MAX_PREPARED_LAUNCHES
