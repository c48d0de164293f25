"""Copies of host arrays, on a device that is a list of what it was asked to do."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from dovetail.runtime.backend import BackendAllocation, BackendQueue, MemoryKind
from dovetail.runtime.device import Device
from dovetail.runtime.staging import Staging


class _Machine:
    """Device and queue; allocations begin at round addresses."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.copies: list[tuple[int, int, int]] = []

    @property
    def native(self) -> "_Machine":
        return self

    def allocate(self, kind: MemoryKind, size: int) -> BackendAllocation:
        assert kind is MemoryKind.DEVICE
        self.sizes.append(size)
        address = len(self.sizes) * 1000
        return cast(BackendAllocation, SimpleNamespace(address=address, argument=address))

    def address_argument(self, address: int) -> int:
        return address

    def copy(self, target: int, source: int, size: int) -> str:
        self.copies.append((target, source, size))
        return f"copy {len(self.copies)}"


def _staging(machine: _Machine) -> Staging:
    return Staging(cast(Device, machine), cast(BackendQueue, machine))


def _address(array: "np.ndarray[Any, Any]") -> int:
    return array.ctypes.data


def test_an_array_is_copied_in_and_back() -> None:
    machine, array = _Machine(), np.zeros(8, "i4")
    staging = _staging(machine)
    staging.add(array, writable=True)
    staging.copy_in()
    assert staging.argument(array) == 1000
    assert staging.copy_back() == ["copy 2"]
    begin = _address(array)
    assert machine.copies == [(1000, begin, 32), (begin, 1000, 32)]


def test_what_is_only_read_is_not_copied_back() -> None:
    machine, array = _Machine(), np.zeros(8, "i4")
    staging = _staging(machine)
    staging.add(array, writable=False)
    staging.copy_in()
    assert staging.copy_back() == []


def test_the_same_array_twice_is_copied_once() -> None:
    machine, array = _Machine(), np.zeros(8, "i4")
    staging = _staging(machine)
    staging.add(array, writable=True)
    staging.add(array, writable=False)
    staging.copy_in()
    assert machine.sizes == [32]
    assert len(staging.copy_back()) == 1


def test_overlapping_arrays_share_a_copy() -> None:
    machine, array = _Machine(), np.zeros(10, "i4")
    staging = _staging(machine)
    staging.add(array[6:], writable=False)
    staging.add(array[:4], writable=False)
    staging.add(array[2:7], writable=True)
    staging.copy_in()
    assert machine.sizes == [40]
    assert [staging.argument(part) for part in (array[:4], array[2:7], array[6:])] == [
        1000,
        1008,
        1024,
    ]
    staging.copy_back()
    assert machine.copies[1:] == [(_address(array) + 8, 1008, 20)]


def test_neighbours_do_not_share() -> None:
    machine, array = _Machine(), np.zeros(8, "i4")
    staging = _staging(machine)
    staging.add(array[:4], writable=True)
    staging.add(array[4:], writable=True)
    staging.copy_in()
    assert machine.sizes == [16, 16]
    assert staging.argument(array[4:]) == 2000


def test_an_empty_array_is_a_null_pointer() -> None:
    machine, array = _Machine(), np.zeros(8, "i4")
    staging = _staging(machine)
    staging.add(array, writable=True)
    staging.add(array[:0], writable=True)
    staging.copy_in()
    assert staging.argument(array[:0]) == 0
    assert len(staging.copy_back()) == 1
