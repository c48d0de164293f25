"""Kernels on NVIDIA's GPUs: arguments, ranges, local memory, order."""

import numpy as np
import pytest
from fake_cuda import FakeCuda

import dovetail
from dovetail.errors import ArgumentError
from dovetail.runtime import Device, NdRange, Program, Queue
from dovetail.runtime.backend import MemoryKindName
from dovetail.runtime.nd_range import RangeError

pytestmark = pytest.mark.device


def test_arrays_are_copied_to_the_device_and_back(queue: Queue, program: Program) -> None:
    x, y = np.arange(1000, dtype="f4"), np.ones(1000, "f4")
    queue.parallel_for(program["saxpy"], 1000, 2, x, y).wait()
    np.testing.assert_array_equal(y, 2 * np.arange(1000) + 1)


@pytest.mark.parametrize("kind", ["shared", "device", "host"])
def test_memory_of_each_kind(queue: Queue, program: Program, kind: MemoryKindName) -> None:
    values = queue.alloc(256, "i4", kind)
    values.copy_from(np.arange(256, dtype="i4"))
    queue.parallel_for(program["step"], NdRange(256, 64), values, 3, 1)
    queue.parallel_for(program["step"], NdRange(256, 64), values, 2, 5).wait()
    np.testing.assert_array_equal(values.to_numpy(), (np.arange(256) * 3 + 1) * 2 + 5)


def test_commands_of_a_queue_run_in_order(queue: Queue, program: Program) -> None:
    values = queue.alloc(32, "i4", "shared")
    values.numpy()[:] = 1
    for number in range(20):
        queue.parallel_for(program["step"], 32, values, 2, number)
    queue.wait()
    expected = 1
    for number in range(20):
        expected = expected * 2 + number
    assert set(values.numpy()) == {expected}


@pytest.mark.parametrize(
    ("shape", "group"), [((4, 6, 10), (2, 3, 5)), ((4, 6, 10), None), ((7, 1, 13), None)]
)
def test_dimensions(
    queue: Queue, program: Program, shape: tuple[int, ...], group: tuple[int, ...] | None
) -> None:
    out = np.zeros(shape, "i8")
    queue.parallel_for(program["places"], NdRange(shape, group), out).wait()
    places = np.indices(shape)
    np.testing.assert_array_equal(out, places[0] * 10000 + places[1] * 100 + places[2])


def test_fixed_local_memory(queue: Queue, program: Program) -> None:
    values = np.arange(256, dtype="f4")
    out = np.zeros_like(values)
    queue.parallel_for(program["reversed"], NdRange(256, 64), values, out).wait()
    np.testing.assert_array_equal(out, values.reshape(-1, 64)[:, ::-1].ravel())


def test_classes_by_value(queue: Queue, program: Program) -> None:
    target = queue.alloc(1, "i4", "shared")
    out = np.zeros(6)
    mixed = (-3, 1.5, (7, -8), target.address)
    queue.single_task(program["mixed"], True, mixed, -1, out).wait()
    assert out.tolist() == [1, -3, 1.5, 7, -8, -1]
    assert target.numpy()[0] == 7


def test_a_required_size_is_the_default(queue: Queue, program: Program) -> None:
    out = np.zeros(64, "i4")
    queue.parallel_for(program["fixed"], 64, out).wait()
    assert set(out) == {32}


def test_many_groups_in_an_outer_dimension(queue: Queue, program: Program) -> None:
    shape = (1, 70000, 1)
    with pytest.raises(RangeError) as raised:
        queue.parallel_for(program["places"], NdRange(shape, (1, 1, 1)), np.zeros(shape, "i8"))
    assert "has 70000 groups in dimension 1; CUDA supports up to 65535 there" in str(raised.value)


def test_too_large_groups(gpu: Device, queue: Queue, program: Program) -> None:
    with pytest.raises(RangeError) as raised:
        queue.parallel_for(program["greedy"], NdRange(2048, 2048), np.zeros(2048, "i4"))
    assert f"'{gpu.name}' supports up to 1024" in str(raised.value)


def test_a_group_that_needs_too_many_registers(
    fake: FakeCuda, program: Program, queue_on_fake: Queue
) -> None:
    out = np.zeros(1024, "i4")
    with pytest.raises(RangeError) as raised:
        queue_on_fake.parallel_for(program["greedy"], NdRange(1024, 1024), out)
    label = program["greedy"].info.label
    assert str(raised.value) == (
        f"kernel {label}: work-groups of 1024 work-items need more registers than"
        " 'Mock GPU 0' has (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)\n"
        "use work-groups of up to 512 work-items"
    )
    # The queue still works, with a size that is chosen for this kernel.
    queue_on_fake.parallel_for(program["greedy"], 1024, out).wait()
    assert set(out) == {1}
    assert fake.sticky is None


def test_null_and_wrong_arguments(queue: Queue, program: Program) -> None:
    with pytest.raises(ArgumentError):
        queue.single_task(program["add_to"], np.zeros(1, "f4"), np.zeros(1, "i4"))
    to = np.array([1], "i4")
    queue.single_task(program["add_to"], to, np.array([2], "i4")).wait()
    assert to[0] == 3


def test_times_and_profiles(gpu: Device, program: Program) -> None:
    measured, plain = Queue(gpu, profiling=True), Queue(gpu)
    values = plain.alloc(256, "i4", "shared")
    values.numpy()[:] = 0
    first, second = (measured.parallel_for(program["step"], 256, values, 1, 1) for _ in range(2))
    assert second.profile.started >= first.profile.ended - 1000
    with dovetail.profile() as profile:
        for _ in range(2):
            plain.parallel_for(program["step"], 256, values, 1, 1)
    assert [(row.kernel, row.calls) for row in profile.rows] == [("step", 2)]
    assert values.numpy().tolist() == [4] * 256
