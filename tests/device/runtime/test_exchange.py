"""Arrays of other libraries as arguments, and USM arrays in other libraries."""

import array
import ctypes
import gc
import importlib.util
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_protocols import WithDLPack, WithInterface, as_array

import dovetail
from dovetail.errors import ArgumentError
from dovetail.runtime import Device, Program, Queue
from dovetail.runtime.exchange import foreign_array
from dovetail.runtime.kernel import Kernel

pytestmark = pytest.mark.device

_NUMPY = "__array_interface__"
_SYCL = "__sycl_usm_array_interface__"
_CUDA = "__cuda_array_interface__"


def _increment(queue: Queue, program: Program, target: object) -> None:
    queue.parallel_for(program["add"], 3, target, np.ones(3, "i4")).wait()


MAKERS: dict[str, Callable[[], Any]] = {
    "bytearray": lambda: bytearray(as_array([1, 2, 3]).tobytes()),
    "memoryview": lambda: memoryview(bytearray(as_array([1, 2, 3]).tobytes())),
    "typed memoryview": lambda: memoryview(array.array("i", [1, 2, 3])),
    "array.array": lambda: array.array("i", [1, 2, 3]),
    "ctypes": lambda: (ctypes.c_int * 3)(1, 2, 3),
    "ctypes char": lambda: (ctypes.c_char * 12)(*as_array([1, 2, 3]).tobytes()),
    "array interface": lambda: WithInterface(as_array([1, 2, 3]), _NUMPY),
    "USM interface": lambda: WithInterface(as_array([1, 2, 3]), _SYCL, strides=(1,), offset=0),
    "DLPack": lambda: WithDLPack(as_array([1, 2, 3])),
    "old DLPack": lambda: WithDLPack(as_array([1, 2, 3]), is_old=True),
}


@pytest.mark.parametrize("name", MAKERS)
def test_kernels_write_to_arrays_of_others(queue: Queue, program: Program, name: str) -> None:
    target = MAKERS[name]()
    _increment(queue, program, target)
    memory: Any = getattr(target, "array", target)
    assert np.frombuffer(memory, "i4").tolist() == [2, 3, 4]


def test_buffers_are_not_resized_while_kernels_use_them(queue: Queue, program: Program) -> None:
    target = bytearray(4)
    event = queue.single_task(program["once"], target, 7)
    if not event.done:
        with pytest.raises(BufferError):
            target.append(1)
    event.wait()
    gc.collect()
    target.append(1)
    assert target[0] == 7


def test_owners_are_kept_until_the_work_is_done(queue: Queue, program: Program) -> None:
    owner = WithDLPack(as_array([0]))
    used = weakref.ref(owner.array)
    event = queue.single_task(program["once"], owner, 1)
    del owner
    event.wait()
    gc.collect()
    assert used() is None


_READ_ONLY = as_array([1, 2, 3])
_READ_ONLY.setflags(write=False)
_EVERY_SECOND = as_array([1, 2, 3, 4, 5, 6])[::2]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (bytes(12), "the array is read-only and the kernel may write to it"),
        (WithInterface(_READ_ONLY, _NUMPY), "the array is read-only"),
        (WithInterface(_EVERY_SECOND, _NUMPY, strides=(8,)), "not contiguous\npass a contiguous"),
        (WithDLPack(_EVERY_SECOND), "the array is not contiguous"),
        (bytearray(10), "expected a multiple of 4 bytes, the size of int32, got 10 bytes"),
        (memoryview(bytearray(13))[1:], "the memory is not aligned to 4 bytes, as int32 is"),
        (array.array("f", [1]), "expected an array of int32, got float32"),
        (WithDLPack(as_array([1], "f8")), "expected an array of int32, got float64"),
        (WithInterface(as_array([1]), _CUDA), "got an array in the memory of a CUDA device\ncopy"),
        (WithInterface(as_array([1]), _NUMPY, data=None), "its __array_interface__ has no address"),
    ],
)
def test_arrays_that_do_not_fit(
    queue: Queue, program: Program, target: object, message: str
) -> None:
    with pytest.raises(ArgumentError) as raised:
        queue.parallel_for(program["fill"], 1, target, 1)
    assert "argument 1, 'out' (int *), of kernel 'fill': " in str(raised.value)
    assert message in str(raised.value)
    queue.wait()


def test_usm_arrays_in_numpy(queue: Queue, program: Program) -> None:
    memory = queue.alloc(3, "i4")
    queue.parallel_for(program["fill"], 3, memory, 4)
    views = [np.from_dlpack(memory), np.asarray(WithSame(memory, _NUMPY))]
    assert [view.tolist() for view in views] == [[4, 4, 4]] * 2, "after the queue's work"
    memory.numpy()[0] = 5
    assert [view[0] for view in views] == [5, 5]
    assert [view.flags.writeable for view in views] == [True, True]
    memory.free()
    del memory
    gc.collect()
    assert [view.tolist() for view in views] == [[5, 4, 4]] * 2


class WithSame:
    """An object that exports what another one does."""

    def __init__(self, other: object, name: str) -> None:
        self._other = other
        self.__array_interface__: Any = getattr(other, name)


def test_usm_arrays_of_other_queues_are_foreign_arrays(queue: Queue) -> None:
    memory = queue.alloc(3, "i4", "device")
    interface = memory.__sycl_usm_array_interface__
    found = foreign_array(WithInterface(as_array([0]), _SYCL, **interface))
    assert found is not None
    assert (found.address, found.shape) == (memory.address, (3,))
    assert not hasattr(memory, _NUMPY)
    assert not hasattr(memory, _CUDA)
    with pytest.raises(BufferError, match=r"copy it with to_numpy\(\)"):
        memory.__dlpack__()


@pytest.mark.parametrize("is_old", [False, True])
def test_capsules_release_the_memory(queue: Queue, is_old: bool) -> None:
    memory = queue.alloc(3, "i4")
    held = weakref.ref(memory)
    capsule: object = memory.__dlpack__(max_version=None if is_old else (1, 1))
    if not is_old:
        capsule = np.from_dlpack(memory)
    used = weakref.ref(memory.memory.allocation)
    del memory
    gc.collect()
    assert held() is None
    assert used() is not None
    del capsule
    gc.collect()
    queue.device.work.settle()
    assert used() is None


@pytest.mark.parametrize("maker", ["DLPack", "array.array", "array interface", "USM interface"])
def test_from_dlpack_shares_the_memory(device: Device, program: Program, maker: str) -> None:
    queue, source = Queue(device), MAKERS[maker]()
    shared = dovetail.from_dlpack(source, queue)
    queue.parallel_for(program["add"], 3, shared, np.ones(3, "i4"))
    assert shared.to_numpy().tolist() == [2, 3, 4]
    memory: Any = getattr(source, "array", source)
    assert np.frombuffer(memory, "i4").tolist() == [2, 3, 4]
    if maker == "DLPack":
        used = weakref.ref(source.array)
        view = shared.numpy()
        del source, memory, shared
        gc.collect()
        assert used() is not None
        assert view.tolist() == [2, 3, 4]


def test_from_dlpack_copies_where_memory_cannot_be_shared(queue: Queue) -> None:
    copy = dovetail.from_dlpack(WithDLPack(_EVERY_SECOND), queue, copy=True)
    assert copy.to_numpy().tolist() == [1, 3, 5]
    if not queue.device.native.reaches_host_memory:
        with pytest.raises(ArgumentError, match=r"got an array in host memory\n.*copy=True"):
            dovetail.from_dlpack(WithDLPack(as_array([1])), queue)
        return
    for source, message in ((WithDLPack(_EVERY_SECOND), "not contiguous"), (bytes(4), "read-only")):
        with pytest.raises(ArgumentError, match=rf"the array is {message}\n.*copy=True"):
            dovetail.from_dlpack(source, queue)
    for copies in (True, False):
        with pytest.raises(ArgumentError, match="memory of a CUDA device\ncopy it to the host"):
            dovetail.from_dlpack(WithInterface(as_array([1]), _CUDA), queue, copy=copies)
    with pytest.raises(ArgumentError, match="expected an array of another library, got list"):
        dovetail.from_dlpack([1], queue)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_tensors_of_torch(queue: Queue, program: Program) -> None:
    torch: Any = importlib.import_module("torch")
    tensor = torch.tensor([1, 2, 3], dtype=torch.int32)
    _increment(queue, program, tensor)
    assert tensor.tolist() == [2, 3, 4]
    assert torch.from_dlpack(queue.alloc(3, "i4")).shape == (3,)


def test_objects_with_an_index_are_addresses(queue: Queue, program: Program) -> None:
    memory, kernel = queue.alloc(1, "i4"), program["once"]
    assert isinstance(kernel, Kernel)
    queue.single_task(kernel, np.uint64(memory.address), 3).wait()
    assert memory.to_numpy()[0] == 3
