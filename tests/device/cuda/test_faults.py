"""Kernels that fail on NVIDIA's GPUs: who is named, and what works afterwards."""

from typing import Any

import numpy as np
import pytest
from cuda_devices import cuda_devices, installed
from fake_cuda import FakeCuda

from dovetail.errors import DeviceError, DovetailError, KernelAssertionFailed
from dovetail.runtime import NdRange, Program, Queue, devices

pytestmark = pytest.mark.device

HINT = (
    "its memory and running work are lost; dovetail.devices() returns the device with a new"
    " context, for new queues and arrays"
)


def run(queue: Queue, program: Program) -> None:
    """Run a kernel that works."""
    values = queue.alloc(32, "i4", "shared")
    values.numpy()[:] = 1
    queue.parallel_for(program["step"], 32, values, 2, 1).wait()
    assert set(values.numpy()) == {3}


def fail(fake: FakeCuda, queue: Queue, program: Program, status: str) -> DovetailError:
    """Let a kernel fail with a status, and return the error."""
    fake.faults[program["step"].symbol] = getattr(fake.CUresult, status)
    values = queue.alloc(32, "i4", "shared")
    with pytest.raises(DovetailError) as raised:
        queue.parallel_for(program["step"], 32, values, 2, 1).wait()
    return raised.value


@pytest.mark.parametrize(
    ("status", "kind", "cause"),
    [
        ("CUDA_ERROR_ILLEGAL_ADDRESS", DeviceError, "it accessed memory at an invalid address"),
        (
            "CUDA_ERROR_ASSERT",
            KernelAssertionFailed,
            "an assertion in it failed; the driver has printed which",
        ),
        (
            "CUDA_ERROR_MISALIGNED_ADDRESS",
            DeviceError,
            "it accessed memory at a misaligned address",
        ),
        ("CUDA_ERROR_LAUNCH_TIMEOUT", DeviceError, "it ran longer than the system allows"),
    ],
)
def test_the_error_names_kernel_place_and_cause(
    fake: FakeCuda,
    queue_on_fake: Queue,
    program: Program,
    status: str,
    kind: type[DovetailError],
    cause: str,
) -> None:
    error = fail(fake, queue_on_fake, program, status)
    kernel = program["step"].info
    assert type(error) is kind
    assert error.message == (
        f"kernel 'step' ({kernel.file}:{kernel.line}) failed on 'Mock GPU 0': {cause} ({status})"
    )
    assert error.hint == HINT


def test_a_wrong_address_is_found(queue_on_fake: Queue, program: Program) -> None:
    with pytest.raises(DeviceError, match=r"kernel 'add_to' .*CUDA_ERROR_ILLEGAL_ADDRESS"):
        queue_on_fake.single_task(program["add_to"], 0x10000, 0x20000).wait()


def test_several_kernels_in_flight_are_all_named(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    other = Queue(queue_on_fake.device)
    values = queue_on_fake.alloc(32, "i4", "shared")
    out = other.alloc(32, "i4", "shared")
    run(queue_on_fake, program)
    fake.faults[program["greedy"].symbol] = fake.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
    queue_on_fake.parallel_for(program["step"], 32, values, 2, 1)
    last = other.parallel_for(program["greedy"], 32, out)
    with pytest.raises(DeviceError) as raised:
        last.wait()
    assert raised.value.message.startswith("one of the kernels ")
    names = {program[name].info.label for name in ("step", "greedy")}
    assert all(name in raised.value.message for name in names)
    # The other queue's work is lost as well.
    with pytest.raises(DeviceError, match="one of the kernels"):
        queue_on_fake.wait()


def test_a_corrupted_context_is_reported_as_such(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    failed = fail(fake, queue_on_fake, program, "CUDA_ERROR_ILLEGAL_ADDRESS")
    with pytest.raises(DeviceError) as raised:
        run(queue_on_fake, program)
    assert raised.value.message == (
        "the context of 'Mock GPU 0' is unusable since an earlier failure: " + failed.message
    )
    assert raised.value.hint == HINT
    with pytest.raises(DeviceError, match="is unusable"):
        Queue(queue_on_fake.device)
    assert queue_on_fake.device.is_lost


def test_a_new_queue_on_a_fresh_context_works(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    lost = queue_on_fake.alloc(16, "i4", "device")
    run(queue_on_fake, program)
    fail(fake, queue_on_fake, program, "CUDA_ERROR_ILLEGAL_ADDRESS")
    (device,) = cuda_devices()
    assert device is not queue_on_fake.device
    assert not device.is_lost
    queue = Queue(device)
    run(queue, program)
    assert devices()[0] is device
    # Memory of the old context is not freed in the new one.
    del lost
    run(queue, program)
    assert fake.sticky is None


def test_other_devices_keep_working(program_bytes: bytes, program: Program) -> None:
    fake = FakeCuda(count=2)
    fake.kernels.add(program_bytes)
    with installed(fake):
        first, second = map(Queue, cuda_devices())
        fail(fake, first, program, "CUDA_ERROR_ILLEGAL_ADDRESS")
        # The mock driver has one state for all devices, unlike the real one.
        fake.sticky = None
        run(second, program)
        assert first.device.is_lost
        assert not second.device.is_lost


def test_a_device_that_does_not_come_back_is_not_listed(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    error = fail(fake, queue_on_fake, program, "CUDA_ERROR_ECC_UNCORRECTABLE")
    assert error.message == (
        "'Mock GPU 0' failed: the device's memory has an error that cannot be corrected"
        f" (CUDA_ERROR_ECC_UNCORRECTABLE), while it ran kernel {program['step'].info.label}"
    )
    fake.failing["cuDevicePrimaryCtxReset"] = [fake.CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE]
    assert cuda_devices() == []
    # The CPU is still there.
    assert [device.kind for device in devices()] == ["cpu"]


def test_other_failures_do_not_touch_the_context(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    run(queue_on_fake, program)
    fake.failing["cuLaunchKernel"] = [fake.CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES]
    with pytest.raises(DeviceError, match=r"needs more resources than 'Mock GPU 0' has, with 32"):
        run(queue_on_fake, program)
    run(queue_on_fake, program)


def test_failed_work_does_not_spoil_arrays_of_the_host(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    fake.faults[program["saxpy"].symbol] = fake.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
    x, y = np.ones(64, "f4"), np.ones(64, "f4")
    with pytest.raises(DeviceError):
        queue_on_fake.parallel_for(program["saxpy"], NdRange(64, 64), 2, x, y).wait()
    assert set(y) == {1}


def test_the_mock_driver_is_strict(fake: FakeCuda) -> None:
    wrong: Any = fake.CUstream(5)
    (status,) = fake.cuStreamDestroy(wrong)
    assert status.name == "CUDA_ERROR_INVALID_CONTEXT"
    _, context = fake.cuDevicePrimaryCtxRetain(fake.cuDeviceGet(0)[1])
    assert fake.cuCtxSetCurrent(context)[0] == 0
    (status,) = fake.cuStreamDestroy(wrong)
    assert status.name == "CUDA_ERROR_INVALID_HANDLE"
    (status,) = fake.cuMemFree(0x1000)
    assert status.name == "CUDA_ERROR_INVALID_VALUE"
