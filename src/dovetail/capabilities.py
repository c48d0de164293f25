"""What is known of a device or target: its aspects, sub-group sizes and largest work-groups.

Aspects are SYCL's numbers. One that no table lists, such as one of a newer SYCL, is like every
other: it is missing where the list of a device's aspects is complete, and unknown where it is not.

Builds ask targets for their aspects as they start, so this imports nothing of the package, and what
only `dovetail.fit` needs is there.
"""

from typing import Literal, NamedTuple, TypeAlias

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

Verdict: TypeAlias = Literal["yes", "no", "may"]


class WorkGroupLimits(NamedTuple):
    """The largest work-groups that a device takes."""

    size: int
    """Work-items in all dimensions together."""
    sizes: tuple[int, ...]
    """Work-items in each dimension, in SYCL's order: the last is the innermost."""

    def allow(self, size: "Sequence[int]") -> bool:
        """Return whether neither the whole work-group nor any of its dimensions is too large."""
        whole = 1
        for part in size:
            whole *= part
        innermost_first = zip(reversed(size), reversed(self.sizes), strict=False)
        return whole <= self.size and all(part <= limit for part, limit in innermost_first)


class Capabilities(NamedTuple):
    """What is known of a device or target."""

    aspects: frozenset[int] = frozenset()
    """Those that it is known to have."""
    absent_aspects: frozenset[int] = frozenset()
    """Those that it is known not to have."""
    may_support_other_aspects: bool = False
    """Whether aspects that are in neither set are unknown; otherwise they are absent."""
    sub_group_sizes: tuple[int, ...] = ()
    """Empty if they are unknown."""
    work_group_limits: WorkGroupLimits | None = None
    """None if required sizes are not checked: a target does not list its devices' limits."""

    def aspect_verdict(self, aspect: int) -> Verdict:
        """Return whether it has an aspect."""
        if aspect in self.aspects:
            return "yes"
        is_unknown = self.may_support_other_aspects and aspect not in self.absent_aspects
        return "may" if is_unknown else "no"

    def sub_group_verdict(self, size: int) -> Verdict:
        """Return whether kernels can require sub-groups of that size."""
        if not self.sub_group_sizes:
            return "may"
        return "yes" if size in self.sub_group_sizes else "no"
