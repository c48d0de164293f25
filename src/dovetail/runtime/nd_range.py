"""The range of a launch: the number of work-items and the size of work-groups.

Dimensions are in SYCL's order: the last is the innermost, in which neighbors are adjacent. Drivers
use the reverse order; only this module reverses it.
"""

from collections.abc import Callable, Iterable
from math import prod
from operator import gt, index, mod
from typing import SupportsIndex, TypeAlias

from dovetail.errors import ArgumentValueError
from dovetail.runtime.backend import DeviceDescription

Size: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
Sizes: TypeAlias = tuple[int, ...]

_MAX_ITEMS = (1 << 63) - 1

# Testing for these is much faster than testing for `Iterable`.
_SEQUENCES = (tuple, list)


class RangeError(ArgumentValueError):
    """A range is invalid, or the device does not support it."""


class NdRange:
    """A global size and, if given, a work-group size; otherwise the driver chooses one.

    >>> NdRange((4, 6), (2, 3))
    NdRange((4, 6), (2, 3))
    """

    __slots__ = ("global_size", "innermost_first", "local_size")

    def __init__(self, global_size: Size, local_size: Size | None = None) -> None:
        self.global_size = _dimensions(global_size, "global size")
        self.local_size = None if local_size is None else _dimensions(local_size, "local size")
        _check_division(self.global_size, self.local_size)
        self.innermost_first = (
            self.global_size[::-1],
            None if self.local_size is None else self.local_size[::-1],
        )
        """Both sizes in the order of drivers."""

    @property
    def dimensions(self) -> int:
        return len(self.global_size)

    def check_fits(self, device: DeviceDescription) -> None:
        """Raise `RangeError` if the work-groups are too large for the device."""
        local, limits = self.local_size, device.limits
        if local is None:
            return
        if prod(local) > limits.max_work_group_size:
            raise RangeError(
                f"the work-group {local} has {prod(local)} work-items;"
                f" '{device.name}' supports up to {limits.max_work_group_size}"
            )
        largest = limits.max_work_item_sizes[-len(local) :]
        if any(map(gt, local, largest)):
            number, size, limit = _first_pair(gt, local, largest)
            raise RangeError(
                f"dimension {number} of the work-group {local} is {size};"
                f" '{device.name}' supports up to {limit} there"
            )

    def with_required(self, kernel: str, required: Sizes) -> "NdRange":
        """Return this range with the work-group size that a kernel requires, or raise `RangeError`.

        `required` is in SYCL's order; empty if the kernel requires none.
        """
        if not required or self.local_size == required:
            return self
        if len(required) != self.dimensions or self.local_size is not None:
            raise RangeError(
                f"kernel '{kernel}' requires work-groups of {_joined(required)}, and is launched"
                f" {self._local_text()}",
                hint=f"launch it with a local size of {_joined(required)}",
            )
        try:
            return NdRange(self.global_size, required)
        except RangeError as error:
            raise RangeError(
                f"kernel '{kernel}' requires work-groups of {_joined(required)}: {error.message}"
            ) from None

    def _local_text(self) -> str:
        if self.local_size is not None:
            return f"in work-groups of {_joined(self.local_size)}"
        return f"over {self.dimensions} dimension{'s' if self.dimensions > 1 else ''}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NdRange):
            return NotImplemented
        return self.innermost_first == other.innermost_first

    def __hash__(self) -> int:
        return hash(self.innermost_first)

    def __dir__(self) -> list[str]:
        # The others are for the runtime itself.
        return ["dimensions", "global_size", "local_size"]

    def __repr__(self) -> str:
        local = "" if self.local_size is None else f", {self.local_size}"
        return f"NdRange({self.global_size}{local})"


def _dimensions(size: Size, what: str) -> tuple[int, ...]:
    """Return a size as a tuple; raise `RangeError` if it is invalid."""
    try:
        sizes = tuple(map(index, size if isinstance(size, _SEQUENCES) else _wrapped(size)))
    except TypeError:
        raise RangeError(f"expected a {what} of integers, got {size!r}") from None
    if not 1 <= len(sizes) <= 3:
        raise RangeError(f"expected a {what} of 1, 2 or 3 dimensions, got {len(sizes)}: {sizes}")
    if min(sizes) <= 0:
        number = next(n for n, value in enumerate(sizes) if value <= 0)
        raise RangeError(f"dimension {number} of the {what} {sizes} is not positive")
    if prod(sizes) > _MAX_ITEMS:
        raise RangeError(f"the {what} {sizes} has more than {_MAX_ITEMS} work-items")
    return sizes


def _joined(size: Sizes) -> str:
    return "x".join(map(str, size))


def _wrapped(size: Size) -> Iterable[SupportsIndex]:
    return size if isinstance(size, Iterable) else (size,)


def _check_division(whole: Sizes, part: Sizes | None) -> None:
    """Raise `RangeError` if the local size does not divide the global size."""
    if part is None:
        return
    if len(part) != len(whole):
        raise RangeError(
            f"the global size {whole} has {len(whole)} dimensions"
            f" and the local size {part} has {len(part)}"
        )
    if any(map(mod, whole, part)):
        number, size, divisor = _first_pair(mod, whole, part)
        raise RangeError(
            f"dimension {number} of the global size {whole} is not divisible"
            f" by the local size {part}: {size} % {divisor} is {size % divisor}"
        )


def _first_pair(test: Callable[[int, int], object], one: Sizes, other: Sizes) -> Sizes:
    """Return the first dimension where the test holds: its number and both sizes."""
    pairs = enumerate(zip(one, other, strict=True))
    return next((number, a, b) for number, (a, b) in pairs if test(a, b))
