"""The work-group size of kernels that ask nothing of their groups.

Drivers choose one that divides the range. Where nothing does, as with a prime number of work-items,
they come down to groups of one, which can take 20 times as long. Devices that take a smaller group
at the end of each dimension need not divide anything; SYCL lets us choose for kernels over a plain
range, since they cannot ask about their group.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

Sizes = tuple[int, ...]

PREFERRED_SIZE = 64
"""Work-items in a group that fill a processor's vectors; drivers that find so many choose well."""
_MAX_ITEMS = 1024
"""Work-items in the groups that we choose: more are no faster."""
_GROUPS_PER_PROCESSOR = 4
"""Groups for each processor, so that none is idle for long at the end."""


# Programs launch over the same few ranges again and again.
@lru_cache(256)
def uneven_group(whole: Sizes, max_items: int, processors: int) -> Sizes | None:
    """A group for a range, innermost dimension first; None if the driver chooses as well.

    `max_items` is how many work-items a group of the kernel can have.
    """
    items = prod(whole)
    good = min(items // (_GROUPS_PER_PROCESSOR * processors), _MAX_ITEMS, max_items)
    if good < PREFERRED_SIZE or _can_be_divided(whole, good):
        return None
    return tuple(_uneven(whole, good))


def _uneven(whole: Sizes, room: int) -> Iterator[int]:
    """As much as fits of the innermost dimension, then of the next."""
    for size in whole:
        part = min(size, room)
        room //= part
        yield part


def _can_be_divided(whole: Sizes, max_items: int) -> bool:
    """Whether there are large enough groups that divide the range."""
    items = 1
    for size in whole:
        items *= _divisor(size, max_items // items)
        if items >= PREFERRED_SIZE:
            return True
    return False


def _divisor(size: int, max_items: int) -> int:
    """A large divisor of `size`: the first that is enough, else the largest there is."""
    if size <= max_items:
        return size
    # 64 is the first, so what most programs use is found at once.
    enough = (divisor for divisor in range(PREFERRED_SIZE, max_items + 1) if size % divisor == 0)
    smaller = (
        divisor for divisor in range(min(PREFERRED_SIZE, max_items), 0, -1) if size % divisor == 0
    )
    return next(enough, 0) or next(smaller)
