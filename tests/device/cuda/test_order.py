"""The order of work on NVIDIA's GPUs: several queues, gates, events, times.

The mock driver runs nothing before something waits for it, so a missing dependency is seen.
"""

from ctypes import addressof, c_int32
from itertools import pairwise
from threading import Thread
from time import perf_counter_ns

import numpy as np
import pytest
from fake_cuda import FakeCuda

from dovetail.errors import DeviceError
from dovetail.runtime import Device, Program, Queue
from dovetail.runtime.backend import BackendAllocation, BackendDevice, BackendKernel, MemoryKind

pytestmark = pytest.mark.device

COUNT = 32


class Steps:
    """Memory with numbers, and the kernel that changes them."""

    def __init__(self, device: Device, program: Program) -> None:
        self.native: BackendDevice = device.native
        self.memory: BackendAllocation = self.native.allocate(MemoryKind.SHARED, 4 * COUNT)
        self.values = (c_int32 * COUNT).from_address(self.memory.address)
        self.values[:] = [1] * COUNT
        built = program["step"].built_for(device)
        symbol = program["step"].symbol
        self.kernel: BackendKernel = built.kernel(symbol, follows_pointers=False)
        self.kernel.set_pointer(0, self.memory.argument)

    def with_numbers(self, factor: int, more: int) -> BackendKernel:
        """Return the kernel that computes `values * factor + more`."""
        self.kernel.set_bytes(1, factor.to_bytes(4, "little"))
        self.kernel.set_bytes(2, more.to_bytes(4, "little"))
        return self.kernel


@pytest.fixture
def steps(gpu: Device, program: Program) -> Steps:
    return Steps(gpu, program)


def test_queues_wait_for_events_of_others(steps: Steps) -> None:
    one, other = steps.native.open_queue(), steps.native.open_queue()
    first = one.launch(steps.with_numbers(3, 0), (COUNT,), None)
    second = other.launch(steps.with_numbers(1, 5), (COUNT,), None, None, [first])
    third = one.launch(steps.with_numbers(2, 0), (COUNT,), None, None, [second])
    one.wait(third)
    assert [*steps.values] == [16] * COUNT


def test_without_an_event_the_mock_driver_does_not_order_queues(
    fake: FakeCuda, program: Program, steps_on_fake: Steps
) -> None:
    steps = steps_on_fake
    one, other = steps.native.open_queue(), steps.native.open_queue()
    one.launch(steps.with_numbers(3, 0), (COUNT,), None)
    other.wait(other.launch(steps.with_numbers(1, 5), (COUNT,), None))
    assert [*steps.values] == [6] * COUNT
    assert "cuStreamWaitEvent" not in fake.calls


def test_events_of_the_same_queue_cost_nothing(steps_on_fake: Steps, fake: FakeCuda) -> None:
    queue = steps_on_fake.native.open_queue()
    first = queue.launch(steps_on_fake.with_numbers(3, 0), (COUNT,), None)
    queue.wait(queue.launch(steps_on_fake.with_numbers(1, 5), (COUNT,), None, None, [first]))
    assert [*steps_on_fake.values] == [8] * COUNT
    assert "cuStreamWaitEvent" not in fake.calls


def test_arguments_of_a_launch_do_not_change_with_the_next(steps: Steps) -> None:
    queue = steps.native.open_queue()
    for number in range(5):
        queue.launch(steps.with_numbers(1, 10**number), (COUNT,), None)
    queue.finish()
    assert steps.values[0] == 11112


def test_commands_behind_a_gate_wait_for_the_host(steps: Steps) -> None:
    queue, other = steps.native.open_queue(), steps.native.open_queue()
    gate = steps.native.new_gate()
    first = queue.launch(steps.with_numbers(3, 0), (COUNT,), None, None, [gate.event])
    second = queue.launch(steps.with_numbers(1, 5), (COUNT,), None)
    third = other.launch(steps.with_numbers(2, 0), (COUNT,), None, None, [second])
    queue.flush()
    # What does not wait for the gate goes on, and so does the host.
    free = steps.native.open_queue()
    free.finish()
    assert not any(map(queue.is_done, (first, second)))
    assert not other.is_done(third)
    steps.values[0] = 2
    opening = Thread(target=gate.open)
    opening.start()
    other.wait(third)
    opening.join()
    assert [*steps.values] == [22] + [16] * (COUNT - 1)
    assert queue.is_done(first)
    assert other.is_done(gate.event)


def test_copies_of_pageable_memory_behind_a_gate_do_not_block(steps: Steps) -> None:
    """Also not the copies back, and not what waits for all streams in the driver."""
    queue, gate = steps.native.open_queue(), steps.native.new_gate()
    source, target = (c_int32 * COUNT)(*range(COUNT)), (c_int32 * COUNT)()
    address, size = steps.memory.address, 4 * COUNT
    queue.copy(address, addressof(source), size, [gate.event])
    queue.launch(steps.with_numbers(2, 1), (COUNT,), None)
    last = queue.copy(addressof(target), address, size)
    steps.native.allocate(MemoryKind.DEVICE, 100)
    source[0] = 50
    gate.open()
    queue.wait(last)
    assert [*target] == [101, *range(3, 2 * COUNT, 2)]


def test_a_command_that_cannot_be_started_later_fails_where_it_is_waited_for(
    steps_on_fake: Steps, fake: FakeCuda
) -> None:
    steps = steps_on_fake
    queue, gate = steps.native.open_queue(), steps.native.new_gate()
    first = queue.launch(steps.with_numbers(2, 0), (COUNT,), None, None, [gate.event])
    second = queue.launch(steps.with_numbers(3, 0), (COUNT,), None)
    fake.failing["cuLaunchKernel"] = [fake.CUresult.CUDA_ERROR_INVALID_HANDLE]
    gate.open()
    with pytest.raises(DeviceError, match=r"could not be started: .*CUDA_ERROR_INVALID_HANDLE"):
        queue.wait(first)
    queue.wait(second)
    assert [*steps.values] == [3] * COUNT


@pytest.mark.parametrize("length", [1, 2, 4, 8, 16, 64, 128])
def test_fills(steps: Steps, length: int) -> None:
    queue = steps.native.open_queue()
    memory = steps.native.allocate(MemoryKind.SHARED, 1024)
    pattern = bytes(range(1, length + 1))
    queue.wait(queue.fill(memory.address, pattern, 1024))
    content = (c_int32 * 256).from_address(memory.address)
    assert bytes(content) == pattern * (1024 // length)
    queue.wait(queue.fill(memory.address + 256, b"\7" * length, 512))
    assert bytes(content)[256:768] == b"\7" * 512


def test_a_fill_with_zeros_is_one_command(steps_on_fake: Steps, fake: FakeCuda) -> None:
    queue = steps_on_fake.native.open_queue()
    memory = steps_on_fake.native.allocate(MemoryKind.DEVICE, 1024)
    queue.wait(queue.fill(memory.address, bytes(128), 1024))
    assert fake.calls.count("cuMemsetD8Async") == 1
    assert "cuMemcpyAsync" not in fake.calls


def test_times_are_of_the_hosts_clock(steps: Steps) -> None:
    before = perf_counter_ns()
    queue = steps.native.open_queue(profiling=True)
    events = [queue.launch(steps.with_numbers(1, 1), (COUNT,), None) for _ in range(3)]
    queue.wait(events[-1])
    after = perf_counter_ns()
    times = [queue.times(event) for event in events]
    for each in times:
        assert before <= each.submit <= each.start <= each.end <= after + 10**6
    for first, second in pairwise(times):
        assert second.start >= first.end - 1000


def test_without_an_event_nothing_is_started(steps_on_fake: Steps, fake: FakeCuda) -> None:
    """Otherwise, memory could be freed while a kernel uses it."""
    queue = steps_on_fake.native.open_queue()
    fake.failing["cuEventCreate"] = [fake.CUresult.CUDA_ERROR_OUT_OF_MEMORY]
    with pytest.raises(DeviceError, match="cuEventCreate failed: CUDA_ERROR_OUT_OF_MEMORY"):
        queue.launch(steps_on_fake.with_numbers(1, 1), (COUNT,), None)
    assert not fake.launches
    queue.wait(queue.launch(steps_on_fake.kernel, (COUNT,), None))
    assert [*steps_on_fake.values] == [2] * COUNT


def test_events_of_the_driver_are_used_again(
    queue_on_fake: Queue, program: Program, fake: FakeCuda
) -> None:
    values = queue_on_fake.alloc(COUNT, "i4", "shared")
    values.numpy()[:] = 0
    for _ in range(300):
        queue_on_fake.parallel_for(program["step"], COUNT, values, 1, 1).wait()
    np.testing.assert_array_equal(values.numpy(), np.full(COUNT, 300))
    assert fake.calls.count("cuEventCreate") <= 70


def test_a_wait_for_a_kernel_synchronizes_so_that_output_appears(
    queue_on_fake: Queue, program: Program, fake: FakeCuda
) -> None:
    values = queue_on_fake.alloc(COUNT, "i4", "shared")
    queue_on_fake.parallel_for(program["step"], COUNT, values, 1, 1).wait()
    assert fake.calls[-1] == "cuEventSynchronize"


def test_threads_share_a_queue(queue: Queue, program: Program) -> None:
    values = queue.alloc(COUNT, "i4", "shared")
    values.numpy()[:] = 0

    def add() -> None:
        for _ in range(25):
            queue.parallel_for(program["step"], COUNT, values, 1, 1)

    threads = [Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    queue.wait()
    assert set(values.numpy()) == {100}


def test_an_offset_is_refused(steps: Steps) -> None:
    with pytest.raises(DeviceError, match="cannot be launched with an offset"):
        steps.native.open_queue().launch(steps.kernel, (COUNT,), None, (1,))


@pytest.fixture
def steps_on_fake(fake: FakeCuda, queue_on_fake: Queue, program: Program) -> Steps:
    return Steps(queue_on_fake.device, program)
