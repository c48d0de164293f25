"""The work-group size of kernels over a plain range, which cannot observe their groups.

Drivers choose a size that divides the range. If only small sizes do, as for a prime number of
work-items, groups may have one work-item, which can take 20 times as long. Devices that support
non-uniform work-groups do not need a divisor, and SYCL leaves the size to the runtime.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

Sizes = tuple[int, ...]

PREFERRED_SIZE = 64
"""Work-items that fill a processor's vectors; with such a divisor, drivers choose well."""
_MAX_ITEMS = 1024
"""The maximum number of work-items in a chosen group; more are not faster."""
_GROUPS_PER_PROCESSOR = 4
"""The minimum number of groups per processor, so that none is idle for long at the end."""


# Programs launch over the same few ranges again and again.
@lru_cache(256)
def uneven_group(whole: Sizes, max_items: int, processors: int) -> Sizes | None:
    """Return a group for a range, innermost dimension first; None if the driver chooses well
    itself.

    `max_items` is the maximum number of work-items in a group of the kernel.
    """
    items = prod(whole)
    good = min(items // (_GROUPS_PER_PROCESSOR * processors), _MAX_ITEMS, max_items)
    if good < PREFERRED_SIZE or _can_be_divided(whole, good):
        return None
    return tuple(_uneven(whole, good))


def _uneven(whole: Sizes, room: int) -> Iterator[int]:
    """Yield a group's size in each dimension, as large as `room` permits, innermost first."""
    for size in whole:
        part = min(size, room)
        room //= part
        yield part


def _can_be_divided(whole: Sizes, max_items: int) -> bool:
    """Return whether a group that is large enough divides the range."""
    items = 1
    for size in whole:
        items *= _divisor(size, max_items // items)
        if items >= PREFERRED_SIZE:
            return True
    return False


def _divisor(size: int, max_items: int) -> int:
    """Return a divisor of `size` up to `max_items`.

    It is `size` itself if that is small enough, else the smallest divisor from `PREFERRED_SIZE` up,
    else the largest below it.
    """
    if size <= max_items:
        return size
    # Begins with 64, which divides the sizes of most programs.
    enough = (divisor for divisor in range(PREFERRED_SIZE, max_items + 1) if size % divisor == 0)
    smaller = (
        divisor for divisor in range(min(PREFERRED_SIZE, max_items), 0, -1) if size % divisor == 0
    )
    return next(enough, 0) or next(smaller)
