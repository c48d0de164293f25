"""Whether a device has what images require, before any of their code is opened."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dovetail.capabilities import Capabilities
from dovetail.errors import DovetailError
from dovetail.fit import (
    AspectReason,
    Reason,
    Requirements,
    SubGroupReason,
    WorkGroupReason,
    fit,
)
from dovetail.runtime.device import Device
from dovetail.runtime.linking import LinkSet, Part
from dovetail.targets import aspect_number, aspect_text

if TYPE_CHECKING:
    from dovetail.image import AspectUse

_KINDS = frozenset(map(aspect_number, ("cpu", "gpu", "accelerator", "custom", "emulated", "host")))
"""Aspects that say what a device is rather than what it can do: one that emulates a GPU counts as
one."""


class KernelNotSupported(DovetailError):
    """A device lacks something that a kernel requires."""

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        kernel: str = "",
        device: str = "",
        aspects: Sequence[str] = (),
        sub_group_size: int | None = None,
        work_group_size: Sequence[int] = (),
        uses: "Mapping[str, AspectUse] | None" = None,
        refused_by: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.kernel = kernel
        """The C++ name."""
        self.device = device
        self.aspects = tuple(aspects)
        """What is required and missing, by name."""
        self.sub_group_size = sub_group_size
        """The required size, if it is one that is missing."""
        self.work_group_size = tuple(work_group_size)
        """The required size, if it is too large."""
        self.uses = dict(uses or {})
        """Where the missing aspects are used, and through which calls, as far as the program
        tells."""
        self.refused_by = refused_by
        """The device's name, or that of the target which it stands for."""


@dataclass(frozen=True)
class Refusal:
    """Why a kernel cannot run on a device."""

    kernel: str
    device: Device
    missing: tuple[Reason, ...]
    is_by_target: bool
    """Whether the target that the device emulates lacks it, rather than the device itself."""
    through: tuple[str, ...] = ()
    """What is called of other images and under conditions, one after the other, up to what requires
    it, in words; empty if the kernel does itself."""
    uses: "dict[str, AspectUse]" = field(default_factory=dict[str, "AspectUse"])

    def error(self) -> KernelNotSupported:
        """What to raise."""
        lacking = _lacking(self.missing)
        aspects = tuple(map(aspect_text, lacking.aspects))
        uses = {aspect: self.uses[aspect] for aspect in aspects if aspect in self.uses}
        return KernelNotSupported(
            "\n".join([self._summary(lacking), *_places(uses)]),
            hint="; ".join(_supported(self.missing)),
            kernel=self.kernel,
            device=self.device.name,
            aspects=aspects,
            sub_group_size=lacking.sub_group_size,
            work_group_size=lacking.work_group_size,
            uses=uses,
            refused_by=self.device.stands_for if self.is_by_target else self.device.name,
        )

    def _summary(self, lacking: Requirements) -> str:
        who = "it"
        if self.through:
            *before, last = self.through
            way = f" through {', '.join(before)}" if before else ""
            who = f"{last}, which it calls{way},"
        return (
            f"kernel '{self.kernel}' cannot run on '{self.device.name}': {who} needs"
            f" {required_in_words(lacking)}, which {self._refuser()} does not have"
        )

    def _refuser(self) -> str:
        if not self.device.stands_for:
            return "the device"
        if self.is_by_target:
            return f"target '{self.device.stands_for}', for which it stands,"
        return f"the device itself, whatever it stands for ('{self.device.stands_for}'),"


def _lacking(missing: Sequence[Reason]) -> Requirements:
    """Return what of some requirements is missing."""
    lacking = Requirements(each.aspect for each in missing if isinstance(each, AspectReason))
    for reason in missing:
        if isinstance(reason, SubGroupReason):
            lacking = lacking._replace(sub_group_size=reason.size)
        elif isinstance(reason, WorkGroupReason):
            lacking = lacking._replace(work_group_size=reason.size)
    return lacking


def _places(uses: "Mapping[str, AspectUse]") -> Iterator[str]:
    """A line for each use, and below it one for each call that leads there."""
    for aspect, use in uses.items():
        yield f"  {use.place}: aspect '{aspect}' is needed here: {use.what}"
        for call in reversed(use.calls):
            yield f"  {call.place}: '{call.callee}' is called here by '{call.caller}'"


def _supported(missing: Sequence[Reason]) -> Iterator[str]:
    """What the device has in place of what is missing."""
    for reason in missing:
        if isinstance(reason, SubGroupReason):
            yield f"it has sub-groups of {', '.join(map(str, reason.supported))}"
        elif isinstance(reason, WorkGroupReason):
            yield (
                f"its work-groups have up to {reason.limits.size} work-items, and no dimension may"
                f" exceed {_size_text(reason.limits.sizes)}"
            )


def find_refusal(kernel: str, links: LinkSet, device: Device) -> Refusal | None:
    """Why `device` cannot run the kernel with all that it takes; None if it can."""
    for capabilities, is_target in _capability_sets(device):
        for part in links.parts:
            with part.image.being_read():
                missing = fit(capabilities, part.requirements).missing
                if missing:
                    return Refusal(kernel, device, missing, is_target, part.call_path, _uses(part))
    return None


def _uses(part: Part) -> "dict[str, AspectUse]":
    """Where functions that are called use aspects: of several uses the first."""
    uses: dict[str, AspectUse] = {}
    for entry in part.entries:
        uses = {**part.image.contents.uses(entry), **uses}
    return uses


def meets(device: Device, requirements: Requirements) -> bool:
    """Whether `device` can run what requires this, also as what it stands for.

    What is unknown is for the driver to refuse: some do not tell their sub-group sizes.
    """
    return all(fit(each, requirements).verdict != "no" for each, _ in _capability_sets(device))


def _capability_sets(device: Device) -> Iterator[tuple[Capabilities, bool]]:
    """Yield all that code has to fit, and of each whether it is the target that is emulated."""
    reported = device.description.capabilities
    if not device.stands_for:
        yield reported, False
        return
    # Limits are the device's own; what it is, is for the target to say.
    yield reported._replace(work_group_limits=None), True
    own = device.native.description.capabilities
    yield own._replace(aspects=own.aspects | _KINDS), False


def required_in_words(requirements: Requirements) -> str:
    """What is required, for messages."""
    return " and ".join(_needs(requirements))


def _needs(requirements: Requirements) -> Iterator[str]:
    if requirements.aspects:
        names = ", ".join(f"'{aspect_text(aspect)}'" for aspect in requirements.aspects)
        yield f"{'aspect' if len(requirements.aspects) == 1 else 'aspects'} {names}"
    if requirements.sub_group_size is not None:
        yield f"sub-groups of {requirements.sub_group_size}"
    if requirements.work_group_size:
        yield f"work-groups of {_size_text(requirements.work_group_size)}"


def _size_text(size: Sequence[int]) -> str:
    return "x".join(map(str, size))
