"""Unified shared memory, and how long memory lives."""

import gc
import weakref

import numpy as np
import pytest
from held_back import held_back

from dovetail.errors import ArgumentError, DeviceError
from dovetail.runtime import Program, Queue
from dovetail.runtime.backend import BackendAllocation, MemoryKindName

pytestmark = pytest.mark.device


@pytest.mark.parametrize("kind", ["shared", "device", "host"])
def test_kinds_of_memory(queue: Queue, program: Program, kind: MemoryKindName) -> None:
    memory = queue.alloc((2, 3), "i4", kind)
    assert (memory.shape, memory.dtype, memory.nbytes) == ((2, 3), np.dtype("i4"), 24)
    assert (memory.kind, memory.size, len(memory)) == (kind, 6, 2)
    assert memory.address % 4 == 0
    memory.copy_from(np.arange(6, dtype="i4").reshape(2, 3))
    one = np.ones(6, "i4")
    queue.parallel_for(program["add"], 6, memory, one)
    assert memory.to_numpy().tolist() == [[1, 2, 3], [4, 5, 6]]


def test_views_share_the_memory(queue: Queue, program: Program) -> None:
    memory = queue.alloc(4, "i4", "shared")
    view = memory.numpy()
    queue.parallel_for(program["fill"], 4, memory, 3).wait()
    assert view.tolist() == [3, 3, 3, 3]
    view[0] = 8
    assert memory.to_numpy().tolist() == [8, 3, 3, 3]


def test_a_view_outlives_its_array(queue: Queue) -> None:
    view = queue.alloc(1000, "i4", "host").numpy()
    gc.collect()
    view[:] = 5
    assert view.sum() == 5000


def test_structured_and_empty_arrays(queue: Queue) -> None:
    pairs = np.array([(1, 2.5)], [("n", "i4"), ("x", "f8")])
    memory = queue.alloc(1, pairs.dtype)
    memory.copy_from(pairs)
    assert memory.numpy().tolist() == [(1, 2.5)]
    assert queue.alloc((0, 3), "f4", "device").to_numpy().shape == (0, 3)
    single = queue.alloc((), "f4")
    single.copy_from(np.array(2.5, "f4"))
    assert single.to_numpy() == np.float32(2.5)


def test_freed_memory_is_refused(queue: Queue, program: Program) -> None:
    memory = queue.alloc(4, "i4")
    memory.free()
    memory.free()
    assert "freed" in repr(memory)
    with pytest.raises(ArgumentError, match="the array has been freed"):
        queue.parallel_for(program["fill"], 4, memory, 1)
    with pytest.raises(ArgumentError, match="freed"):
        memory.numpy()


def test_device_memory_has_no_view(queue: Queue) -> None:
    with pytest.raises(ArgumentError, match=r"the host cannot access device memory\ncopy it"):
        queue.alloc(4, "i4", "device").numpy()


def test_copies_must_fit(queue: Queue) -> None:
    memory = queue.alloc(4, "i4")
    message = r"expected an array of int32 with shape \(4,\), got one of int32 with shape \(5,\)"
    with pytest.raises(ArgumentError, match=message):
        memory.copy_from(np.zeros(5, "i4"))
    with pytest.raises(ArgumentError, match="got one of float32"):
        memory.copy_from(np.zeros(4, "f4"))


def test_allocations_that_make_no_sense(queue: Queue) -> None:
    with pytest.raises(
        ArgumentError, match="unknown kind of memory 'fast'; expected one of: shared"
    ):
        queue.alloc(4, "i4", "fast")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="negative"):
        queue.alloc((4, -1), "i4")
    with pytest.raises(ArgumentError, match=r"expected a shape of integers, got 4\.5"):
        queue.alloc(4.5, "i4")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="not a NumPy type"):
        queue.alloc(4, "thing")
    with pytest.raises(ArgumentError, match="Python objects"):
        queue.alloc(4, object)


def test_out_of_memory_is_an_error_and_no_more(queue: Queue, program: Program) -> None:
    with pytest.raises(DeviceError) as raised:
        queue.alloc(1 << 45, "u1")
    assert "cannot allocate 35184372088832 bytes of shared memory on '" in str(raised.value)
    assert "INVALID_BUFFER_SIZE\nthe device allocates up to" in str(raised.value)
    memory = queue.alloc(4, "i4")
    queue.parallel_for(program["fill"], 4, memory, 2).wait()
    assert memory.to_numpy().tolist() == [2, 2, 2, 2]


def test_the_wrong_element_type(queue: Queue, program: Program) -> None:
    with pytest.raises(ArgumentError, match="expected an array of int32, got float32"):
        queue.parallel_for(program["fill"], 4, queue.alloc(4, "f4"), 2)


def test_arrays_live_until_the_work_is_done(queue: Queue, program: Program) -> None:
    array = np.zeros(1 << 16, "i4")
    gone = weakref.ref(array)
    with held_back(queue):
        queue.single_task(program["once"], array, 1)
        del array
        gc.collect()
        assert gone() is not None
    queue.wait()
    assert gone() is None


def _is_allocated(memory: "weakref.ref[BackendAllocation]") -> bool:
    gc.collect()
    return memory() is not None


@pytest.mark.parametrize("by_hand", [True, False])
def test_dropped_memory_lives_until_the_work_is_done(
    queue: Queue, program: Program, by_hand: bool
) -> None:
    memory = queue.alloc(4, "i4")
    allocation = weakref.ref(memory.memory.allocation)
    with held_back(queue):
        event = queue.single_task(program["once"], memory, 1)
        if by_hand:
            memory.free()
        del memory
        assert _is_allocated(allocation)
    event.wait()
    assert not _is_allocated(allocation)


def test_memory_reached_through_an_object_lives_too(queue: Queue, program: Program) -> None:
    memory = queue.alloc(1, "i4")
    allocation = weakref.ref(memory.memory.allocation)
    with held_back(queue):
        queue.single_task(program["through"], (memory.address, 4))
        del memory
        assert _is_allocated(allocation)
    queue.wait()
    assert not _is_allocated(allocation)


def test_memory_is_not_kept_without_work(queue: Queue, program: Program) -> None:
    allocations: list[weakref.ref[BackendAllocation]] = []
    for _ in range(3):
        memory = queue.alloc(4, "i4")
        queue.parallel_for(program["fill"], 4, memory, 1).wait()
        allocations.append(weakref.ref(memory.memory.allocation))
        del memory
    assert not any(map(_is_allocated, allocations))
