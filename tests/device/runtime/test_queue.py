"""Queues, events and threads."""

import gc
import struct
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from dovetail import trust
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import Device, NdRange, Program, Queue
from dovetail.runtime.backend import Code

pytestmark = pytest.mark.device

_ROUNDS = 20_000_000


def test_events_tell_when_they_are_done(queue: Queue, program: Program) -> None:
    data = np.zeros(3, "i4")
    event = queue.single_task(program["slow"], data, _ROUNDS)
    assert not event.done
    assert repr(event) == "<Event under way>"
    deadline = time.monotonic() + 30
    while not event.done:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    assert repr(event) == "<Event done>"
    event.wait()
    event.wait()
    assert data[2] == 1


def test_waiting_lets_other_threads_run(queue: Queue, program: Program) -> None:
    steps = 0
    over = threading.Event()

    def count() -> None:
        nonlocal steps
        while not over.is_set():
            steps += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    event = queue.single_task(program["slow"], np.zeros(3, "i4"), 2 * _ROUNDS)
    before = steps
    event.wait()
    assert steps > before + 3
    over.set()
    counter.join()


@pytest.mark.parametrize("shared_queue", [True, False])
def test_threads_launch_the_same_kernel(queue: Queue, program: Program, shared_queue: bool) -> None:
    kernel, nd_range = program["fill"], NdRange(64)

    def work(number: int) -> bool:
        mine = queue if shared_queue else Queue(queue.device)
        for turn in range(40):
            out = np.zeros(64, "i4")
            value = number * 1000 + turn
            mine.parallel_for(kernel, nd_range, out, value).wait()
            if out.tolist() != [value] * 64:
                return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


def test_threads_build_once(
    device: Device,
    spirv: bytes,
    kernels: tuple[KernelInfo, ...],
    package: Callable[[bytes, Iterable[KernelInfo]], Program],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Another generator's number makes it code that was not built before.
    code = spirv[:8] + struct.pack("<I", 99) + spirv[12:]
    trust.remember(code)
    fresh, same = package(code, kernels), package(code, kernels)
    builds = 0
    native = device.native
    build = native.build

    def counting(parts: Sequence[Code]) -> object:
        nonlocal builds
        builds += 1
        time.sleep(0.05)
        return build(parts)

    monkeypatch.setattr(native, "build", counting)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(fresh["fill"].launch_on, [device] * 8))
    same["once"].launch_on(device)
    assert builds == 1


def test_work_of_a_dropped_queue_goes_on_with_all_it_uses(device: Device, program: Program) -> None:
    data = np.zeros(3, "i4")
    used = weakref.ref(data)
    Queue(device).single_task(program["slow"], data, _ROUNDS)
    del data
    gc.collect()
    left = used()
    assert left is not None
    device.work.settle()
    assert left[2] == 1
    del left
    gc.collect()
    assert used() is None


def test_python_ends_only_when_the_work_is_done(program: Program, tmp_path: Path) -> None:
    program.save(tmp_path / "program")
    script = (
        "import sys, numpy, dovetail.runtime as rt\n"
        "program, queue = rt.load(sys.argv[1]), rt.Queue()\n"
        "memory = queue.alloc(4, 'i4')\n"
        "memory.numpy()[:] = 0\n"
        f"queue.single_task(program['slow'], memory, {_ROUNDS})\n"
        f"queue.single_task(program['slow'], numpy.zeros(3, 'i4'), {_ROUNDS})\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_queues_and_devices_describe_themselves(device: Device) -> None:
    assert device.name in repr(Queue(device))
    assert repr(device).startswith(f"<Device '{device.name}' opencl:")


def test_the_default_device_is_the_first(device: Device) -> None:
    assert Queue().device is device


def test_what_a_device_says(device: Device) -> None:
    assert device.backend == "opencl"
    assert device.kind in ("cpu", "gpu", "accelerator")
    assert device.driver_version
    assert "1.0" in device.spirv_versions
    assert "cl_khr_il_program" in device.extensions
    limits = device.limits
    assert limits.max_work_group_size > 0
    assert len(limits.max_work_item_sizes) == 3
    assert min(limits.local_memory, limits.global_memory, limits.max_allocation) > 0
    assert list(device.sub_group_sizes) == sorted(device.sub_group_sizes)
    assert min(device.description.compute_units, device.description.address_bits) > 0
    assert device.description.vendor
    assert device.description.platform_version


def test_what_a_device_has(device: Device) -> None:
    kinds = {"cpu", "gpu", "accelerator"}
    assert device.aspects & kinds == {device.kind.value}
    assert device.has("fp64") == ("cl_khr_fp64" in device.extensions)
    assert device.has("queue_profiling") == device.has(12)
    assert device.has("usm_shared_allocations")
    assert device.has("usm_system_allocations") == device.native.reaches_host_memory
    assert not device.has("emulated")
