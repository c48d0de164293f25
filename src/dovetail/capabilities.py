"""Capabilities of a device or target: its aspects, sub-group sizes and work-group limits.

Aspects are SYCL's numbers. Aspects that no table lists, such as those of a newer SYCL, need no
special case: they are absent if the list of a device's aspects is complete, and otherwise unknown.

Every build loads this module at its start, so it imports nothing from the package and omits what
only `dovetail.fit` needs.
"""

from typing import Literal, NamedTuple, TypeAlias

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Verdict: TypeAlias = Literal["yes", "no", "may"]


class WorkGroupLimits(NamedTuple):
    """The largest work-groups that a device supports."""

    size: int
    """Total number of work-items."""
    sizes: tuple[int, ...]
    """Work-items in each dimension, in SYCL's order: the last is the innermost."""

    def allow(self, size: "Sequence[int]") -> bool:
        """Return whether a work-group of this size is within the limits."""
        whole = 1
        for part in size:
            whole *= part
        innermost_first = zip(reversed(size), reversed(self.sizes), strict=False)
        return whole <= self.size and all(part <= limit for part, limit in innermost_first)


class Capabilities(NamedTuple):
    """The known capabilities of a device or target."""

    aspects: frozenset[int] = frozenset()
    """Aspects that it supports."""
    absent_aspects: frozenset[int] = frozenset()
    """Aspects that it does not support."""
    may_support_other_aspects: bool = False
    """Whether aspects that are in neither set are unknown; otherwise they are absent."""
    sub_group_sizes: tuple[int, ...] = ()
    """Empty if they are unknown."""
    work_group_limits: WorkGroupLimits | None = None
    """None for targets, which do not list limits; required sizes are then not checked."""

    def aspect_verdict(self, aspect: int) -> Verdict:
        """Return whether it supports an aspect."""
        if aspect in self.aspects:
            return "yes"
        is_unknown = self.may_support_other_aspects and aspect not in self.absent_aspects
        return "may" if is_unknown else "no"

    def sub_group_verdict(self, size: int) -> Verdict:
        """Return whether kernels can require sub-groups of that size."""
        if not self.sub_group_sizes:
            return "may"
        return "yes" if size in self.sub_group_sizes else "no"
