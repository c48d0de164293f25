"""Device copies of host arrays, for devices that cannot access host memory.

The arrays of one launch are collected first. Overlapping arrays share one copy, so kernels see the
same aliasing as on a device that accesses the arrays directly. Copies in, the launch and copies
back are commands of one in-order queue: nothing blocks here, and a later launch that uses the same
arrays sees the results of an earlier one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dovetail.runtime.backend import (
    BackendAllocation,
    BackendQueue,
    MemoryKind,
    NativeEvent,
    PointerArgument,
)
from dovetail.runtime.device import Device


@dataclass(frozen=True)
class _Region:
    """A range of host memory and its copy."""

    begin: int
    end: int
    copy: BackendAllocation


class Staging:
    """The host arrays of one launch."""

    def __init__(self, device: Device, queue: BackendQueue) -> None:
        self._device = device
        self._queue = queue
        self._ranges: set[tuple[int, int]] = set()
        self._written: set[tuple[int, int]] = set()
        self._regions: list[_Region] = []

    def add(self, array: NDArray[np.generic], *, writable: bool) -> None:
        """Add an array that the launch uses; a writable one is copied back."""
        if not array.nbytes:
            return
        begin = array.ctypes.data
        bounds = (begin, begin + array.nbytes)
        self._ranges.add(bounds)
        if writable:
            self._written.add(bounds)

    def copy_in(self) -> None:
        """Allocate a copy of each array on the device, and enqueue the copies to it."""
        for begin, end in _merged(self._ranges):
            copy = self._device.allocate(MemoryKind.DEVICE, end - begin)
            self._regions.append(_Region(begin, end, copy))
            self._queue.copy(copy.address, begin, end - begin)

    def argument(self, array: NDArray[np.generic]) -> PointerArgument:
        """Return the address of an array's copy; null for an empty array."""
        address = self._address_of(array.ctypes.data) if array.nbytes else 0
        return self._device.native.address_argument(address)

    def copy_back(self) -> list[NativeEvent]:
        """Enqueue copies of the writable arrays back to the host; return their events."""
        return [
            self._queue.copy(begin, self._address_of(begin), end - begin)
            for begin, end in sorted(self._written)
        ]

    def _address_of(self, address: int) -> int:
        region = next(r for r in self._regions if r.begin <= address < r.end)
        return region.copy.address + address - region.begin


def _merged(ranges: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges in ascending order, with overlapping ones merged."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(ranges):
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
