"""Why a device cannot run a kernel, and the text of the error, before any code is read."""

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
"""Aspects that name the type of a device: one that emulates a GPU counts as a GPU."""


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
        """The names of required aspects that the device does not have."""
        self.sub_group_size = sub_group_size
        """The required size, if the device does not support it."""
        self.work_group_size = tuple(work_group_size)
        """The required size, if it is too large."""
        self.uses = dict(uses or {})
        """Where the missing aspects are used, and through which calls, if the program has that
        information."""
        self.refused_by = refused_by
        """The name of the device or of the target that it emulates."""


@dataclass(frozen=True)
class Refusal:
    """Why a kernel cannot run on a device."""

    kernel: str
    device: Device
    missing: tuple[Reason, ...]
    is_by_target: bool
    """Whether the emulated target lacks it, rather than the device itself."""
    through: tuple[str, ...] = ()
    """The call path to the function that requires it, through other images and conditions, in
    words; empty if the kernel requires it itself."""
    uses: "dict[str, AspectUse]" = field(default_factory=dict[str, "AspectUse"])

    def error(self) -> KernelNotSupported:
        """Return the exception to raise."""
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
        """Return what the kernel needs and the device does not have, in words."""
        subject = "it"
        if self.through:
            *callers, last = self.through
            path = f" through {', '.join(callers)}" if callers else ""
            subject = f"{last}, which it calls{path},"
        return (
            f"kernel '{self.kernel}' cannot run on '{self.device.name}': {subject} needs"
            f" {required_in_words(lacking)}, which {self._refuser()} does not have"
        )

    def _refuser(self) -> str:
        """Return what does not meet the requirements: the device or the emulated target."""
        if not self.device.stands_for:
            return "the device"
        if self.is_by_target:
            return f"the emulated target '{self.device.stands_for}'"
        return f"the device itself (emulating '{self.device.stands_for}')"


def _lacking(missing: Sequence[Reason]) -> Requirements:
    """Return the requirements that are not met."""
    lacking = Requirements(each.aspect for each in missing if isinstance(each, AspectReason))
    for reason in missing:
        if isinstance(reason, SubGroupReason):
            lacking = lacking._replace(sub_group_size=reason.size)
        elif isinstance(reason, WorkGroupReason):
            lacking = lacking._replace(work_group_size=reason.size)
    return lacking


def _places(uses: "Mapping[str, AspectUse]") -> Iterator[str]:
    """Yield a line for each use, followed by one for each call that leads to it."""
    for aspect, use in uses.items():
        yield f"  {use.place}: aspect '{aspect}' is needed here: {use.what}"
        for call in reversed(use.calls):
            yield f"  {call.place}: '{call.callee}' is called here by '{call.caller}'"


def _supported(missing: Sequence[Reason]) -> Iterator[str]:
    """Yield what the device supports instead of each missing requirement."""
    for reason in missing:
        if isinstance(reason, SubGroupReason):
            yield f"supported sub-group sizes: {', '.join(map(str, reason.supported))}"
        elif isinstance(reason, WorkGroupReason):
            yield (
                f"the device supports work-groups of up to {reason.limits.size} work-items, and up"
                f" to {_size_text(reason.limits.sizes)} by dimension"
            )


def find_refusal(kernel: str, links: LinkSet, device: Device) -> Refusal | None:
    """Return why `device` cannot run the kernel with its linked images; None if it can."""
    for capabilities, is_target in _capability_sets(device):
        for part in links.parts:
            with part.image.being_read():
                missing = fit(capabilities, part.requirements).missing
                if missing:
                    return Refusal(kernel, device, missing, is_target, part.call_path, _uses(part))
    return None


def _uses(part: Part) -> "dict[str, AspectUse]":
    """Return where the called functions use aspects: the first use of each."""
    uses: dict[str, AspectUse] = {}
    for entry in part.entries:
        uses = {**part.image.contents.uses(entry), **uses}
    return uses


def meets(device: Device, requirements: Requirements) -> bool:
    """Whether `device` and the target that it emulates meet the requirements.

    Unknown counts as met: some drivers do not report their sub-group sizes.
    """
    return all(fit(each, requirements).verdict != "no" for each, _ in _capability_sets(device))


def _capability_sets(device: Device) -> Iterator[tuple[Capabilities, bool]]:
    """Yield the capabilities that code has to fit, each with whether they are the target's."""
    reported = device.description.capabilities
    if not device.stands_for:
        yield reported, False
        return
    # Work-group limits come from the device, its type from the target.
    yield reported._replace(work_group_limits=None), True
    own = device.native.description.capabilities
    yield own._replace(aspects=own.aspects | _KINDS), False


def required_in_words(requirements: Requirements) -> str:
    """Return the requirements in words, for messages."""
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
