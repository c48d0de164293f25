"""Queues, events and threads."""

import asyncio
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
import numpy.typing as npt
import pytest
from held_back import held_back
from patience import PATIENCE, eventually

from dovetail import trust
from dovetail.errors import DeviceError
from dovetail.kernel_info import KernelInfo
from dovetail.runtime import Device, Event, NdRange, Program, Queue
from dovetail.runtime.backend import Code

pytestmark = pytest.mark.device


def test_events_tell_when_they_are_done(queue: Queue, program: Program) -> None:
    data = np.zeros(1, "i4")
    with held_back(queue):
        event = queue.single_task(program["once"], data, 1)
        assert not event.done
        assert repr(event) == "<Event in flight>"
    assert eventually(lambda: event.done)
    assert repr(event) == "<Event done>"
    event.wait()
    event.wait()
    assert data[0] == 1


def test_a_queue_waits_at_the_end_of_a_block(queue: Queue, program: Program) -> None:
    data = np.zeros(1, "i4")
    with queue as same:
        assert same is queue
        queue.single_task(program["once"], data, 1)
    assert data[0] == 1


def test_a_queue_waits_after_an_error_in_a_block(queue: Queue, program: Program) -> None:
    data = np.zeros(1, "i4")

    def block() -> None:
        with queue:
            queue.single_task(program["once"], data, 2)
            queue.single_task(program["none"])

    with pytest.raises(KeyError, match="no kernel 'none'"):
        block()
    assert data[0] == 2


async def _launches(queue: Queue, program: Program, data: npt.NDArray[np.int32]) -> list[int]:
    """Return how often another task ran while a kernel did."""
    told = queue.alloc(1, "i4", "host")
    told.numpy()[0] = 0
    event = queue.single_task(program["until"], told, data)
    turns = [0]

    async def count() -> None:
        for _ in range(5):
            turns[0] += 1
            await asyncio.sleep(0.001)
        told.numpy()[0] = 1

    _, waited = await asyncio.gather(count(), waiting(event))
    assert waited is event
    await event
    return turns


async def waiting(event: Event) -> Event:
    await event
    return event


def test_events_can_be_awaited(queue: Queue, program: Program) -> None:
    data = np.zeros(1, "i4")
    assert asyncio.run(_launches(queue, program, data)) == [5]
    assert data[0] == 1


def test_awaiting_raises_the_error_of_the_work(queue: Queue, program: Program) -> None:
    event = queue.single_task(program["once"], np.zeros(1, "i4"), 1)
    event.fail(DeviceError("it failed"))

    async def wait() -> None:
        await event

    with pytest.raises(DeviceError, match="it failed"):
        asyncio.run(wait())
    queue.wait()


def test_a_kernel_that_runs_is_under_way(queue: Queue, program: Program) -> None:
    told, out = queue.alloc(1, "i4", "host"), np.zeros(1, "i4")
    told.numpy()[0] = 0
    event = queue.single_task(program["until"], told, out)
    assert not event.done
    told.numpy()[0] = 1
    event.wait()
    assert out[0] == 1


def test_waiting_lets_other_threads_run(queue: Queue, program: Program) -> None:
    """The kernel ends by itself some day, so that a thread that stops all others does, too."""
    told, waits = queue.alloc(1, "i4", "host"), threading.Event()
    told.numpy()[0] = 0
    steps = 0

    def count() -> None:
        nonlocal steps
        waits.wait()
        for _ in range(5):
            steps += 1
            time.sleep(0.001)
        told.numpy()[0] = 1

    counter = threading.Thread(target=count)
    counter.start()
    event = queue.single_task(program["until"], told, np.zeros(1, "i4"))
    waits.set()
    event.wait()
    assert steps == 5
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
    queue, data = Queue(device), np.zeros(1, "i4")
    used, dropped = weakref.ref(data), weakref.ref(queue)
    with held_back(queue):
        queue.single_task(program["once"], data, 1)
        del data, queue
        gc.collect()
        left = used()
        assert left is not None
        assert dropped() is None
    device.work.settle()
    assert left[0] == 1
    del left
    gc.collect()
    assert used() is None


def test_python_ends_only_when_the_work_is_done(program: Program, tmp_path: Path) -> None:
    program.save(tmp_path / "program")
    script = """
import atexit, sys, threading
atexit.register(lambda: print("ended with", *results))  # called last
import numpy, dovetail.runtime as rt
program, queue = rt.load(sys.argv[1]), rt.Queue()
told, results = queue.alloc(1, "i4", "host"), [numpy.zeros(1, "i4") for _ in range(2)]
told.numpy()[0] = 0
for result in results:
    queue.single_task(program["until"], told, result)
def tell():
    threading.main_thread().join()
    told.numpy()[0] = 1
threading.Thread(target=tell, daemon=True).start()
"""
    command = [sys.executable, "-c", script, str(tmp_path / "program")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (result.returncode, result.stdout, result.stderr) == (0, "ended with [1] [1]\n", "")


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
