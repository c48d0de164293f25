"""Decides whether a device can run code; no other module does.

    fit(target.capabilities, Requirements((6,), sub_group_size=8)).verdict  # "yes", "no" or "may"

`Capabilities` describe a target of the table or of a user's file, a device, or an emulated device;
`Requirements` describe an image, a kernel or another function.
"""

from typing import NamedTuple, Self, TypeAlias

from dovetail.capabilities import Capabilities, Verdict, WorkGroupLimits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _RequirementFields(NamedTuple):
    aspects: tuple[int, ...]
    """Numbers in ascending order, without duplicates."""
    sub_group_size: int | None
    work_group_size: tuple[int, ...]
    """One to three numbers in the order of the attribute; empty if no size is required."""


class Requirements(_RequirementFields):
    """Device requirements of code, normalized so that equal ones compare equal."""

    __slots__ = ()

    def __new__(
        cls,
        aspects: "Iterable[int]" = (),
        sub_group_size: int | None = None,
        work_group_size: "tuple[int, ...]" = (),
    ) -> Self:
        """Sort the aspects and remove duplicates."""
        return super().__new__(cls, tuple(sorted({*aspects})), sub_group_size, work_group_size)

    def with_aspects(self, aspects: "Iterable[int]") -> Self:
        """Return the same requirements with other aspects."""
        return type(self)(aspects, self.sub_group_size, self.work_group_size)

    def __bool__(self) -> bool:
        return bool(self.aspects or self.sub_group_size is not None or self.work_group_size)


class AspectReason(NamedTuple):
    """A required aspect that the device lacks, or may lack."""

    aspect: int


class SubGroupReason(NamedTuple):
    """A required sub-group size that the device does not support, or may not support."""

    size: int
    supported: tuple[int, ...]
    """Empty if they are unknown."""


class WorkGroupReason(NamedTuple):
    """A required work-group size that exceeds a limit."""

    size: tuple[int, ...]
    limits: WorkGroupLimits


Reason: TypeAlias = AspectReason | SubGroupReason | WorkGroupReason


class Fit(NamedTuple):
    """Whether code fits a device or target, and why it does not or may not."""

    missing: tuple[Reason, ...] = ()
    """Requirements that the device does not meet."""
    unknown: tuple[Reason, ...] = ()
    """Requirements that the device may not meet."""

    @property
    def verdict(self) -> Verdict:
        """`no` if a requirement is missing, `may` if one is unknown, otherwise `yes`."""
        if self.missing:
            return "no"
        return "may" if self.unknown else "yes"


def fit(capabilities: Capabilities, requirements: Requirements) -> Fit:
    """Return whether a device or target meets the requirements, with reasons if it does not."""
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
    """Yield the verdict on each single requirement."""
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
    """Return whether any of the alternatives fits; if none does, with the reasons of all."""
    fitting = [each for each in alternatives if each.verdict != "no"]
    if not fitting:
        return Fit(missing=_unique(each.missing for each in alternatives))
    is_certain = any(each.verdict == "yes" for each in fitting)
    return Fit(unknown=() if is_certain else _unique(each.unknown for each in fitting))


def _unique(reasons: "Iterable[tuple[Reason, ...]]") -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for each in reasons for reason in each))
