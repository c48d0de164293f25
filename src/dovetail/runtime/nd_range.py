"""The range a kernel is launched over: how many work-items, in groups of what size.

Dimensions are in SYCL's order: the last one is the innermost, whose neighbours lie side by side.
Drivers count the other way round; the reversal happens here and nowhere else.
"""

from collections.abc import Iterable
from math import prod
from operator import index

from dovetail.errors import ArgumentError
from dovetail.runtime.backend import DeviceDescription

Size = int | Iterable[int]


class NdRange:
    """A global size and, if given, a work-group size; otherwise the driver chooses one."""

    __slots__ = ("global_size", "innermost_first", "local_size")

    def __init__(self, global_size: Size, local_size: Size | None = None) -> None:
        self.global_size = _dimensions(global_size, "global size")
        self.local_size = None if local_size is None else _dimensions(local_size, "local size")
        _check_division(self.global_size, self.local_size)
        self.innermost_first = (
            self.global_size[::-1],
            None if self.local_size is None else self.local_size[::-1],
        )
        """Both sizes as drivers want them."""

    @property
    def dimensions(self) -> int:
        return len(self.global_size)

    def check_fits(self, device: DeviceDescription) -> None:
        """Raise `ArgumentError` if the work-groups are too large for the device."""
        if self.local_size is None:
            return
        limits = device.limits
        if prod(self.local_size) > limits.max_work_group_size:
            raise ArgumentError(
                f"the work-group {self.local_size} has {prod(self.local_size)} work-items;"
                f" '{device.name}' takes up to {limits.max_work_group_size}"
            )
        largest = limits.max_work_item_sizes[-self.dimensions :]
        for number, (size, limit) in enumerate(zip(self.local_size, largest, strict=True)):
            if size > limit:
                raise ArgumentError(
                    f"dimension {number} of the work-group {self.local_size} is {size};"
                    f" '{device.name}' takes up to {limit} there"
                )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NdRange):
            return NotImplemented
        return self.innermost_first == other.innermost_first

    def __hash__(self) -> int:
        return hash(self.innermost_first)

    def __repr__(self) -> str:
        local = "" if self.local_size is None else f", {self.local_size}"
        return f"NdRange({self.global_size}{local})"


def _dimensions(size: Size, what: str) -> tuple[int, ...]:
    try:
        sizes = tuple(index(s) for s in size) if isinstance(size, Iterable) else (index(size),)
    except TypeError:
        raise ArgumentError(f"the {what} {size!r} is not made of integers") from None
    if not 1 <= len(sizes) <= 3:
        raise ArgumentError(f"the {what} {sizes} has {len(sizes)} dimensions, not 1, 2 or 3")
    for number, value in enumerate(sizes):
        if value <= 0:
            raise ArgumentError(f"dimension {number} of the {what} {sizes} is not positive")
    return sizes


def _check_division(global_size: tuple[int, ...], local_size: tuple[int, ...] | None) -> None:
    if local_size is None:
        return
    if len(local_size) != len(global_size):
        raise ArgumentError(
            f"the global size {global_size} has {len(global_size)} dimensions"
            f" and the local size {local_size} has {len(local_size)}"
        )
    for number, (whole, part) in enumerate(zip(global_size, local_size, strict=True)):
        if whole % part:
            raise ArgumentError(
                f"dimension {number} of the global size {global_size} is not divisible"
                f" by the local size {local_size}: {whole} % {part} is {whole % part}"
            )
