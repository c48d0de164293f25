"""Whether a device can run code: the only place where that is decided.

    fit(target.capabilities, Requirements((6,), sub_group_size=8)).verdict  # "yes", "no" or "may"

`Capabilities` describe a target of the table or of a user's file, a device or an emulated device;
`Requirements` describe an image, a kernel or another function.
"""

from typing import NamedTuple, Self, TypeAlias

from dovetail.capabilities import Capabilities, Verdict, WorkGroupLimits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _RequirementFields(NamedTuple):
    aspects: tuple[int, ...]
    """Their numbers, ascending, each once."""
    sub_group_size: int | None
    work_group_size: tuple[int, ...]
    """One to three numbers, as the attribute has them; none if no size is required."""


class Requirements(_RequirementFields):
    """What code requires of a device; equal requirements are equal objects."""

    __slots__ = ()

    def __new__(
        cls,
        aspects: "Iterable[int]" = (),
        sub_group_size: int | None = None,
        work_group_size: "tuple[int, ...]" = (),
    ) -> Self:
        """Return requirements with the aspects in ascending order, however they are given."""
        return super().__new__(cls, tuple(sorted({*aspects})), sub_group_size, work_group_size)

    def with_aspects(self, aspects: "Iterable[int]") -> Self:
        """Return requirements of the same sizes and of these aspects."""
        return type(self)(aspects, self.sub_group_size, self.work_group_size)

    def __bool__(self) -> bool:
        return bool(self.aspects or self.sub_group_size is not None or self.work_group_size)


class AspectReason(NamedTuple):
    """An aspect is required that a device lacks, or is not known to have."""

    aspect: int


class SubGroupReason(NamedTuple):
    """A sub-group size is required that a device does not support, or is not known to."""

    size: int
    supported: tuple[int, ...]
    """Empty if they are unknown."""


class WorkGroupReason(NamedTuple):
    """A work-group size is required that is too large, as a whole or in a dimension."""

    size: tuple[int, ...]
    limits: WorkGroupLimits


Reason: TypeAlias = AspectReason | SubGroupReason | WorkGroupReason


class Fit(NamedTuple):
    """Whether code fits a device or target, and why it does not or may not."""

    missing: tuple[Reason, ...] = ()
    """What the device does not have."""
    unknown: tuple[Reason, ...] = ()
    """What is not known of the device."""

    @property
    def verdict(self) -> Verdict:
        """No if anything is missing, may if something is unknown, else yes."""
        if self.missing:
            return "no"
        return "may" if self.unknown else "yes"


def fit(capabilities: Capabilities, requirements: Requirements) -> Fit:
    """Return whether a device or target can run code, and the reasons if it cannot or may not."""
    missing: list[Reason] = []
    unknown: list[Reason] = []
    for reason, verdict in _verdicts(capabilities, requirements):
        if verdict == "no":
            missing.append(reason)
        elif verdict == "may":
            unknown.append(reason)
    return Fit(tuple(missing), tuple(unknown))


def _verdicts(
    capabilities: Capabilities, requirements: Requirements
) -> "Iterator[tuple[Reason, Verdict]]":
    """Yield what is said of each thing that is required."""
    for aspect in requirements.aspects:
        yield AspectReason(aspect), capabilities.aspect_verdict(aspect)
    sub_group, work_group = requirements.sub_group_size, requirements.work_group_size
    if sub_group is not None:
        reason = SubGroupReason(sub_group, capabilities.sub_group_sizes)
        yield reason, capabilities.sub_group_verdict(sub_group)
    limits = capabilities.work_group_limits
    if work_group and limits:
        yield WorkGroupReason(work_group, limits), "yes" if limits.allow(work_group) else "no"


def fit_any(alternatives: "Sequence[Fit]") -> Fit:
    """Return whether one of them fits; if none does, with the reasons of all."""
    fitting = [each for each in alternatives if each.verdict != "no"]
    if not fitting:
        return Fit(missing=_each_once(each.missing for each in alternatives))
    is_certain = any(each.verdict == "yes" for each in fitting)
    return Fit(unknown=() if is_certain else _each_once(each.unknown for each in fitting))


def _each_once(reasons: "Iterable[tuple[Reason, ...]]") -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for each in reasons for reason in each))
