"""Memory on NVIDIA's GPUs: its limits, its lifetime, local memory, device globals."""

import gc

import numpy as np
import pytest
from cuda_devices import cuda_devices, installed
from fake_cuda import FakeCuda

import dovetail
from dovetail.errors import DeviceError
from dovetail.runtime import Device, NdRange, Program, Queue
from dovetail.runtime.backend import DeviceOutOfMemory, MemoryKind, MemoryKindName

pytestmark = pytest.mark.device

MIB = 1 << 20


@pytest.mark.parametrize("kind", ["shared", "device"])
def test_no_more_than_the_card_has_free(kind: MemoryKindName) -> None:
    fake = FakeCuda(memory=100 * MIB)
    with installed(fake):
        check_limit(fake, Queue(cuda_devices()[0]), kind)


def check_limit(fake: FakeCuda, queue: Queue, kind: MemoryKindName) -> None:
    first = queue.alloc(60 * MIB, "u1", kind)
    with pytest.raises(DeviceOutOfMemory) as raised:
        queue.alloc(60 * MIB, "u1", "shared")
    assert str(raised.value) == (
        f"cannot allocate {60 * MIB} bytes of shared memory on 'Mock GPU 0':"
        f" {40 * MIB} bytes are free\n"
        f"the device has {100 * MIB} bytes, which all programs share"
    )
    del first
    queue.alloc(90 * MIB, "u1", "shared")
    assert not [each for each in fake.allocations.values() if each.size == 60 * MIB]


def test_memory_that_other_programs_use(fake: FakeCuda, queue_on_fake: Queue) -> None:
    memory = fake.memory
    fake.allocate("device", memory - MIB)
    with pytest.raises(DeviceOutOfMemory, match=f": {MIB} bytes are free"):
        queue_on_fake.alloc(2 * MIB, "u1", "shared")


def test_the_drivers_own_refusal(fake: FakeCuda, queue_on_fake: Queue) -> None:
    # The runtime tries again after all work of the device is done.
    fake.failing["cuMemAlloc"] = [fake.CUresult.CUDA_ERROR_OUT_OF_MEMORY] * 2
    with pytest.raises(DeviceOutOfMemory, match="CUDA_ERROR_OUT_OF_MEMORY"):
        queue_on_fake.alloc(100, "u1", "device")
    fake.failing["cuMemAlloc"] = [fake.CUresult.CUDA_ERROR_OUT_OF_MEMORY]
    queue_on_fake.alloc(fake.memory, "u1", "device")


@pytest.mark.parametrize("kind", MemoryKind)
@pytest.mark.parametrize("alignment", [0, 128, 256, 4096])
def test_alignment(gpu: Device, kind: MemoryKind, alignment: int) -> None:
    allocation = gpu.native.allocate(kind, 100, alignment)
    assert allocation.address % max(alignment, 1) == 0


def test_memory_is_freed_after_its_work(
    fake: FakeCuda, queue_on_fake: Queue, program: Program
) -> None:
    values = queue_on_fake.alloc(32, "i4", "device")
    event = queue_on_fake.parallel_for(program["step"], 32, values, 2, 1)
    address = values.address
    del values
    assert address in fake.allocations
    event.wait()
    gc.collect()
    assert address not in fake.allocations


def test_nothing_is_left_behind(fake: FakeCuda, program_bytes: bytes) -> None:
    device = cuda_devices()[0]

    def launch() -> None:
        # The queue lives until its work is done: others are dropped with the device's next work.
        program, queue = Program.from_bytes(program_bytes), Queue(device)
        queue.parallel_for(program["greedy"], 64, np.zeros(64, "i4")).wait()

    for _ in range(3):
        launch()
    gc.collect()
    assert fake.allocations == {}
    assert [kind for kind, _ in fake.live if kind in ("CUstream", "CUlinkState")] == []


def test_kernel_objects_share_what_is_allowed() -> None:
    program = dovetail.build(LOCAL, targets=("nvidia_gpu_sm_90", "spir64"))
    fake = FakeCuda()
    fake.kernels.add(program.to_bytes())
    with installed(fake):
        (device,) = cuda_devices()
        (kernel,) = program.kernels
        built, queue = kernel.built_for(device), device.native.open_queue()
        objects = [built.kernel(kernel.symbol, follows_pointers=True) for _ in range(2)]
        for each, size in zip(objects, (80_000, 60_000), strict=True):
            each.set_bytes(0, bytes(kernel.parameters[0].size))
            each.set_local(1, 8)
            each.set_local(2, size)
        for each in objects:
            queue.launch(each, (1,), (1,))
        queue.finish()
    assert len(fake.launches) == 2


LOCAL = """
#include <sycl/sycl.hpp>
void local(sycl::queue queue) {
  queue.submit([&](sycl::handler &h) {
    sycl::local_accessor<float> first(1, h);
    sycl::local_accessor<double> second(1, h);
    h.parallel_for<class Reverse>(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1> item) {
      auto i = item.get_local_id(0);
      first[i] = i;
      second[i] = 2 * i;
      sycl::group_barrier(item.get_group());
      if (first[0] + second[0] > 1e30) first[0] = 0;
    });
  });
}
"""


def test_dynamic_local_memory_beyond_48_kib() -> None:
    program = dovetail.build(LOCAL, targets=("nvidia_gpu_sm_90", "spir64"))
    fake = FakeCuda()
    fake.kernels.add(program.to_bytes())
    with installed(fake):
        (device,) = cuda_devices()
        (kernel,) = program.kernels
        assert device.limits.local_memory == 227 * 1024
        built = kernel.built_for(device).kernel(kernel.symbol, follows_pointers=True)
        queue = device.native.open_queue()
        (parameter,) = kernel.parameters
        built.set_bytes(0, bytes(parameter.size))
        for first, second in ((100, 8), (30000, 50000), (8, 8)):
            built.set_local(1, first)
            built.set_local(2, second)
            queue.launch(built, (1,), (1,))
            queue.finish()
        sizes = [local for _, _, _, local in fake.launches]
        assert sizes == [128 + 128, 30080 + 50048, 128 + 128]
        assert fake.calls.count("cuFuncSetAttribute") == 1
        with pytest.raises(DeviceError, match="cannot get 300032 bytes of local memory"):
            built.set_local(2, 300_000 - 128)


GLOBALS = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
exp_::device_global<int> total;
exp_::device_global<int[4], decltype(exp_::properties{exp_::device_image_scope})> table;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
void add(int more) { total = total + more; table[1] = table[1] + 2 * more; }
"""


def test_device_globals() -> None:
    program = dovetail.build(GLOBALS, targets=("nvidia_gpu_sm_90", "spir64"))
    fake = FakeCuda()
    fake.kernels.add(program.to_bytes())
    with installed(fake):
        queue = Queue(cuda_devices()[0])
        total, table = (program.device_globals[name] for name in ("total", "table"))
        queue.single_task(program["add"], 5).wait()
        assert total.read(queue, "i4").tolist() == [5]
        assert table.read(queue, "i4").tolist() == [0, 10, 0, 0]
        total.write(queue, np.array([100], "i4"))
        queue.single_task(program["add"], 1).wait()
        assert total.read(queue, "i4").tolist() == [101]
        assert table.read(queue, "i4").tolist() == [0, 12, 0, 0]


def test_a_kernel_over_many_groups(queue: Queue, program: Program) -> None:
    values = queue.alloc(1 << 16, "i4", "device")
    values.copy_from(np.ones(1 << 16, "i4"))
    queue.parallel_for(program["step"], NdRange(1 << 16, 256), values, 2, 3)
    assert set(values.to_numpy()) == {5}
