"""Whether a device has what images require, before any of their code is opened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING

from dovetail.errors import DovetailError, UsageError
from dovetail.image import Requirements
from dovetail.runtime.backend import DeviceDescription
from dovetail.runtime.device import Device
from dovetail.runtime.linking import LinkSet, Part
from dovetail.targets import aspect_name

if TYPE_CHECKING:
    from dovetail.image import AspectUse

_KINDS = frozenset({"cpu", "gpu", "accelerator", "custom", "emulated", "host"})
"""What a device is, rather than what it can do: one that stands for a GPU counts as one."""


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
class Lack:
    """What a device lacks for an image."""

    aspects: tuple[str, ...] = ()
    sub_group_size: int | None = None
    work_group_size: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.aspects or self.sub_group_size is not None or self.work_group_size)


@dataclass(frozen=True)
class Refusal:
    """Why a kernel cannot run on a device."""

    kernel: str
    device: Device
    judge: DeviceDescription
    """Who lacks it: the device as it reports itself, or as it really is."""
    lack: Lack
    through: tuple[str, ...] = ()
    """What is called of other images and under conditions, one after the other, up to what requires
    it, in words; empty if the kernel does itself."""
    uses: "dict[str, AspectUse]" = field(default_factory=dict[str, "AspectUse"])

    def error(self) -> KernelNotSupported:
        """What to raise."""
        lack = self.lack
        lines = [self._summary(), *self._places()]
        return KernelNotSupported(
            "\n".join(lines),
            hint=self._offer(),
            kernel=self.kernel,
            device=self.device.name,
            aspects=lack.aspects,
            sub_group_size=lack.sub_group_size,
            work_group_size=lack.work_group_size,
            uses={aspect: use for aspect, use in self.uses.items() if aspect in lack.aspects},
            refused_by=self._judge_name(),
        )

    def _summary(self) -> str:
        needs = " and ".join(_needs(self.lack))
        who = "it"
        if self.through:
            *before, last = self.through
            way = f" through {', '.join(before)}" if before else ""
            who = f"{last}, which it calls{way},"
        return (
            f"kernel '{self.kernel}' cannot run on '{self.device.name}': {who} needs {needs},"
            f" which {self._judge_text()} does not have"
        )

    def _judge_name(self) -> str:
        is_reported = self.judge is self.device.description
        return (
            self.device.stands_for if self.device.stands_for and is_reported else (self.device.name)
        )

    def _judge_text(self) -> str:
        if not self.device.stands_for:
            return "the device"
        if self.judge is self.device.description:
            return f"target '{self.device.stands_for}', for which it stands,"
        return f"the device itself, whatever it stands for ('{self.device.stands_for}'),"

    def _places(self) -> Iterator[str]:
        """A line for each use, and below it one for each call that leads there."""
        for aspect in self.lack.aspects:
            use = self.uses.get(aspect)
            if use is None:
                continue
            yield f"  {use.place}: aspect '{aspect}' is needed here: {use.what}"
            for call in reversed(use.calls):
                yield f"  {call.place}: '{call.callee}' is called here by '{call.caller}'"

    def _offer(self) -> str:
        """What the device has in place of it."""
        return "; ".join(self._offers())

    def _offers(self) -> Iterator[str]:
        if self.lack.sub_group_size is not None:
            yield f"it has sub-groups of {', '.join(map(str, self.judge.sub_group_sizes))}"
        if self.lack.work_group_size:
            limits = self.judge.limits
            largest = "x".join(map(str, limits.max_work_item_sizes))
            yield (
                f"its work-groups have up to {limits.max_work_group_size} work-items, and no"
                f" dimension may exceed {largest}"
            )


def find_refusal(kernel: str, links: LinkSet, device: Device) -> Refusal | None:
    """Why `device` cannot run the kernel with all that it takes; None if it can."""
    for judge, asked_for in _judges(device):
        for part in links.parts:
            with part.image.being_read():
                lack = find_lack(asked_for(part.requirements), judge)
                if lack:
                    return Refusal(kernel, device, judge, lack, part.way, _uses(part))
    return None


def _uses(part: Part) -> "dict[str, AspectUse]":
    """Where functions that are called use aspects: of several uses the first."""
    uses: dict[str, AspectUse] = {}
    for entry in part.entries:
        uses = {**part.image.contents.uses(entry), **uses}
    return uses


def meets(device: Device, requirements: Requirements) -> bool:
    """Whether `device` can run what requires this, also as what it stands for."""
    return not any(
        find_lack(asked_for(requirements), judge) for judge, asked_for in _judges(device)
    )


Question = Callable[[Requirements], Requirements]
"""What a device has to have of all that is required."""


def _judges(device: Device) -> Iterator[tuple[DeviceDescription, Question]]:
    """Who is asked, and for what: a target and the device that stands for it share the question."""
    if not device.stands_for:
        yield device.description, lambda requirements: requirements
        return
    # Limits are the device's own; what it is, is for the target to say.
    yield device.description, lambda requirements: replace(requirements, work_group_size=())
    yield device.native.description, _without_kinds


def _without_kinds(requirements: Requirements) -> Requirements:
    kept = (number for number in requirements.aspects if aspect_text(number) not in _KINDS)
    return replace(requirements, aspects=tuple(kept))


def find_lack(requirements: Requirements, device: DeviceDescription) -> Lack:
    """What `device` lacks of what is required."""
    names = map(aspect_text, requirements.aspects)
    size, work_group = requirements.sub_group_size, requirements.work_group_size
    # Some drivers do not tell their sizes; then it is for them to refuse.
    lacks_size = size is not None and device.sub_group_sizes and size not in device.sub_group_sizes
    return Lack(
        tuple(name for name in names if name not in device.aspects),
        size if lacks_size else None,
        () if _takes_work_group(device, work_group) else work_group,
    )


def _takes_work_group(device: DeviceDescription, size: Sequence[int]) -> bool:
    limits = device.limits
    largest = limits.max_work_item_sizes[len(limits.max_work_item_sizes) - len(size) :]
    return prod(size) <= limits.max_work_group_size and all(
        part <= most for part, most in zip(size, largest, strict=True)
    )


def required_in_words(requirements: Requirements) -> str:
    """What is required, for messages."""
    return " and ".join(
        _needs(
            Lack(
                tuple(map(aspect_text, requirements.aspects)),
                requirements.sub_group_size,
                requirements.work_group_size,
            )
        )
    )


def _needs(lack: Lack) -> Iterator[str]:
    if lack.aspects:
        names = ", ".join(f"'{aspect}'" for aspect in lack.aspects)
        yield f"{'aspect' if len(lack.aspects) == 1 else 'aspects'} {names}"
    if lack.sub_group_size is not None:
        yield f"sub-groups of {lack.sub_group_size}"
    if lack.work_group_size:
        yield f"work-groups of {'x'.join(map(str, lack.work_group_size))}"


def aspect_text(number: int) -> str:
    """An aspect's name; its number if it has none."""
    try:
        return aspect_name(number)
    except UsageError:
        return str(number)
