"""The grid of a launch: how many work-groups of which size, in CUDA's terms.

A range without work-group size is divided evenly, since kernels do not check whether a work-item is
inside of the range.
"""

from functools import lru_cache

from dovetail.runtime.nd_range import RangeError

Sizes = tuple[int, ...]
Grid = tuple[int, int, int, int, int, int]
"""The number of groups in each dimension, x first, then the size of a group."""

_SUB_GROUP = 32
_PREFERRED_SIZE = 256
_MAX_GROUPS = (2**31 - 1, 65535, 65535)
_MAX_SIZES = (1024, 1024, 64)


# Programs launch over the same few ranges again and again.
@lru_cache(256)
def grid_of(whole: Sizes, group: Sizes | None, most: int) -> Grid:
    """Return the grid for a range, innermost dimension first.

    `most` is the maximum number of work-items in a work-group of the kernel.
    """
    chosen = chosen_group(whole, most) if group is None else group
    counts = tuple(all_ // part for all_, part in zip(whole, chosen, strict=True))
    for number, (count, limit) in enumerate(zip(counts, _MAX_GROUPS, strict=False)):
        if count > limit:
            raise RangeError(
                f"the range {whole[::-1]} in work-groups of {chosen[::-1]} has {count} groups in"
                f" dimension {len(whole) - 1 - number}; CUDA supports up to {limit} there",
                hint="launch it with larger work-groups, or with the large dimension last",
            )
    x, y, z = (*counts, 1, 1)[:3]
    across, down, deep = (*chosen, 1, 1)[:3]
    return x, y, z, across, down, deep


def chosen_group(whole: Sizes, most: int) -> Sizes:
    """Return a size that divides the range, with whole sub-groups if possible."""
    room = min(_PREFERRED_SIZE, most)
    chosen: list[int] = []
    for size, limit in zip(whole, _MAX_SIZES, strict=False):
        part = _divisor(size, min(room, limit), _SUB_GROUP if not chosen else 1)
        chosen.append(part)
        room //= part
    return tuple(chosen)


def _divisor(size: int, most: int, multiple: int) -> int:
    """Return the largest divisor of `size` up to `most`, preferably a multiple of `multiple`."""
    divisors = [part for part in range(1, min(size, most) + 1) if size % part == 0]
    return max(divisors, key=lambda part: (part % multiple == 0, part))
