"""Device copies of host arrays, for devices that cannot reach the host's memory.

The arrays of one launch are gathered first. Those that overlap share one copy, so that kernels
see the same aliasing as on a device that works on the arrays themselves. Copies in, the launch and
copies back are work of one in-order queue: nothing waits here, and a later launch that uses the
same arrays sees the results of an earlier one.
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
    """A stretch of host memory and its copy."""

    begin: int
    end: int
    copy: BackendAllocation


class Staging:
    """The host arrays of one launch."""

    def __init__(self, device: Device, queue: BackendQueue) -> None:
        self._device = device
        self._queue = queue
        self._stretches: set[tuple[int, int]] = set()
        self._written: set[tuple[int, int]] = set()
        self._regions: list[_Region] = []

    def add(self, array: NDArray[np.generic], *, writable: bool) -> None:
        """Note an array that the launch uses; a writable one is copied back."""
        if not array.nbytes:
            return
        begin = array.ctypes.data
        stretch = (begin, begin + array.nbytes)
        self._stretches.add(stretch)
        if writable:
            self._written.add(stretch)

    def copy_in(self) -> None:
        """Make the copies of all arrays noted."""
        for begin, end in _merged(self._stretches):
            copy = self._device.allocate(MemoryKind.DEVICE, end - begin)
            self._regions.append(_Region(begin, end, copy))
            self._queue.copy(copy.address, begin, end - begin)

    def argument(self, array: NDArray[np.generic]) -> PointerArgument:
        """The address of an array's copy; null for an array of nothing."""
        address = self._address_of(array.ctypes.data) if array.nbytes else 0
        return self._device.native.address_argument(address)

    def copy_back(self) -> list[NativeEvent]:
        """Bring back what may have been written."""
        return [
            self._queue.copy(begin, self._address_of(begin), end - begin)
            for begin, end in sorted(self._written)
        ]

    def _address_of(self, address: int) -> int:
        region = next(r for r in self._regions if r.begin <= address < r.end)
        return region.copy.address + address - region.begin


def _merged(stretches: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches in order, overlapping ones as one."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(stretches):
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
