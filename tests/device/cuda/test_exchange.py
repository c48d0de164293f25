"""Memory of NVIDIA's GPUs in other libraries, and theirs in kernels."""

from typing import Any

import numpy as np
import pytest
from fake_cuda import FakeCuda

import dovetail
from dovetail.errors import ArgumentError
from dovetail.runtime import Program, Queue, UsmArray
from dovetail.runtime.backend import MemoryKindName

pytestmark = pytest.mark.device


class ByInterface:
    """An array of another library, with CUDA's array interface."""

    def __init__(self, array: UsmArray, stream: int | None = None) -> None:
        self.__cuda_array_interface__ = array.__cuda_array_interface__ | {"stream": stream}


class ByCapsule:
    """An array of another library, with DLPack."""

    def __init__(self, array: UsmArray, ordinal: int = 0) -> None:
        self._array = array
        self._ordinal = ordinal
        self.streams: list[object] = []

    def __dlpack__(self, **options: Any) -> object:
        self.streams.append(options.pop("stream"))
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (self._array.__dlpack_device__()[0], self._ordinal)


def filled(queue: Queue, kind: MemoryKindName) -> UsmArray:
    array = queue.alloc(256, "i4", kind)
    array.copy_from(np.arange(256, dtype="i4"))
    return array


EXPECTED = [number * 3 + 1 for number in range(256)]


@pytest.mark.parametrize("kind", ["device", "shared"])
@pytest.mark.parametrize("imports", [False, True], ids=["argument", "from_dlpack"])
def test_arrays_by_interface(
    queue: Queue, program: Program, kind: MemoryKindName, imports: bool
) -> None:
    array = filled(queue, kind)
    other: object = ByInterface(array)
    target = dovetail.from_dlpack(other, queue) if imports else other
    queue.parallel_for(program["step"], 256, target, 3, 1).wait()
    assert array.to_numpy().tolist() == EXPECTED


@pytest.mark.parametrize("kind", ["device", "shared", "host"])
def test_arrays_by_capsule(queue_on_fake: Queue, program: Program, kind: MemoryKindName) -> None:
    queue_on_fake.device.native.wait_for_stream = lambda stream: None  # pyright: ignore[reportAttributeAccessIssue]
    array = filled(queue_on_fake, kind)
    other = ByCapsule(array)
    queue_on_fake.parallel_for(program["step"], 256, other, 3, 1).wait()
    assert array.to_numpy().tolist() == EXPECTED
    assert other.streams == [None if kind == "host" else 1]


def test_the_stream_of_an_array_is_waited_for(
    queue_on_fake: Queue, program: Program, fake: FakeCuda
) -> None:
    _, stream = fake.cuStreamCreate(1)
    array = filled(queue_on_fake, "device")
    before = fake.calls.count("cuEventSynchronize")
    other = ByInterface(array, int(stream))
    queue_on_fake.parallel_for(program["step"], 256, other, 3, 1)
    assert fake.calls.count("cuEventSynchronize") == before + 1
    assert array.to_numpy().tolist() == EXPECTED


def test_arrays_that_do_not_fit(queue: Queue, program: Program) -> None:
    with pytest.raises(ArgumentError, match="expected an array of float32, got int32"):
        queue.parallel_for(program["saxpy"], 256, 1, ByInterface(filled(queue, "device")), None)


def test_memory_of_another_gpu_is_refused(queue: Queue, program: Program) -> None:
    other = ByCapsule(filled(queue, "device"), ordinal=1)
    with pytest.raises(ArgumentError, match="got an array in the memory of a CUDA device"):
        queue.parallel_for(program["step"], 256, other, 3, 1)
    with pytest.raises(ArgumentError, match="got an array in the memory of a CUDA device"):
        dovetail.from_dlpack(other, queue)
