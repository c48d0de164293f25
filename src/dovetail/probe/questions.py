"""What compilers are asked: one optional feature or one sub-group size at a time."""

from dataclasses import dataclass

from dovetail.targets import Target

ASPECTS = ("fp64", "fp16", "atomic64")
"""The aspects that change what a compiler accepts."""

SUB_GROUP_SIZES = (4, 8, 16, 32, 64)
"""Every size that some device has; each is asked of all targets, to find unlisted ones."""

IMPOSSIBLE_SIZE = 128
"""A size that no device has; compilers that look at sizes refuse it."""


@dataclass(frozen=True, order=True)
class Question:
    """Whether a target has an aspect, or sub-groups of some size: one of the two is set."""

    aspect: str = ""
    sub_group_size: int = 0

    @property
    def name(self) -> str:
        """For people, such as `fp64` or `sub-group size 8`."""
        return self.aspect or f"sub-group size {self.sub_group_size}"


def questions_for(target: Target) -> list[Question]:
    """All that is asked about a target, in the order of the report."""
    sizes = sorted({*SUB_GROUP_SIZES, *target.sub_group_sizes})
    return [
        *(Question(aspect=aspect) for aspect in ASPECTS),
        *(Question(sub_group_size=size) for size in sizes),
    ]
