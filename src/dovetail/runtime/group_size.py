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
_LARGEST = 1024
"""Work-items in the groups that we choose: more are no faster."""
_GROUPS_EACH = 4
"""Groups for each processor, so that none is idle for long at the end."""


# Programs launch over the same few ranges again and again.
@lru_cache(256)
def uneven_group(whole: Sizes, most: int, processors: int) -> Sizes | None:
    """A group for a range, innermost dimension first; None if the driver chooses as well.

    `most` is how many work-items a group of the kernel can have.
    """
    items = prod(whole)
    good = min(items // (_GROUPS_EACH * processors), _LARGEST, most)
    if good < PREFERRED_SIZE or _can_be_divided(whole, good):
        return None
    return tuple(_uneven(whole, good))


def _uneven(whole: Sizes, room: int) -> Iterator[int]:
    """As much as fits of the innermost dimension, then of the next."""
    for size in whole:
        part = min(size, room)
        room //= part
        yield part


def _can_be_divided(whole: Sizes, most: int) -> bool:
    """Whether there are large enough groups that divide the range."""
    items = 1
    for size in whole:
        items *= _divisor(size, most // items)
        if items >= PREFERRED_SIZE:
            return True
    return False


def _divisor(size: int, most: int) -> int:
    """A large divisor of `size`: the first that is enough, else the largest there is."""
    if size <= most:
        return size
    # 64 is the first, so what most programs use is found at once.
    enough = (divisor for divisor in range(PREFERRED_SIZE, most + 1) if size % divisor == 0)
    smaller = (
        divisor for divisor in range(min(PREFERRED_SIZE, most), 0, -1) if size % divisor == 0
    )
    return next(enough, 0) or next(smaller)
