"""From a kernel and a device to the code that runs there, or to the reason why there is none.

In this order: which images have the kernel, which others have to be linked with each, whether the
device has what all of them require, and in which form their code can be had. Code is opened last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dovetail.errors import DovetailError, FormatError, NoImageForDevice, ProgramBuildError
from dovetail.fit import Requirements
from dovetail.runtime.backend import CodeKind, Values
from dovetail.runtime.demangle import demangled
from dovetail.runtime.device import Device
from dovetail.runtime.fitting import KernelNotSupported, find_refusal, meets
from dovetail.runtime.linking import LinkSet, link_set
from dovetail.runtime.native_code import why_not_for_kernel, why_not_native
from dovetail.runtime.program_image import CodeForm, ProgramImage
from dovetail.targets.coverage import covers, decides_for


@dataclass(frozen=True)
class Resolution:
    """What a driver has to be given to run a kernel."""

    links: LinkSet
    forms: tuple[CodeForm, ...]
    """Of each image that is linked."""
    passed_over: Mapping[str, Sequence[CodeForm]]
    """Native code for this target that was not taken, by the reason."""


class _ForOtherTargets(NoImageForDevice):
    """Conditions in the image's code were decided for other targets."""


@dataclass(frozen=True)
class Attempt:
    """What came of looking for a kernel's code."""

    images: tuple[ProgramImage, ...]
    """Those that have the kernel."""
    chosen: Resolution | None
    reasons: dict[ProgramImage, DovetailError]
    """Why others would not do."""

    @property
    def problem(self) -> DovetailError | None:
        """Why nothing was chosen.

        Where some image would fit the device, why that cannot be had; else what is lacking. That
        there are images for other targets besides is no reason.
        """
        if self.chosen:
            return None
        errors = list(self.reasons.values())
        if all(isinstance(error, NoImageForDevice) for error in errors):
            return NoImageForDevice(
                "\n".join(error.message for error in errors), hint=errors[0].hint
            )
        for_it = [error for error in errors if not isinstance(error, _ForOtherTargets)]
        return next((e for e in for_it if not isinstance(e, KernelNotSupported)), for_it[0])


def resolve(
    kernel: str,
    symbol: str,
    images: Sequence[ProgramImage],
    device: Device,
    *,
    takes_native: bool = True,
) -> Attempt:
    """Look for the best among the images that have the kernel; there is at least one."""
    found: list[Resolution] = []
    reasons: dict[ProgramImage, DovetailError] = {}
    for image in images:
        try:
            found.append(_try(kernel, symbol, image, device, takes_native))
        except (KernelNotSupported, ProgramBuildError, FormatError) as error:
            # Tracebacks would lead back here, and keep the program loaded.
            error.__context__ = None
            reasons[image] = error.with_traceback(None)
    return Attempt(tuple(images), min(found, key=_rank, default=None), reasons)


def _try(
    kernel: str, symbol: str, image: ProgramImage, device: Device, takes_native: bool
) -> Resolution:
    _refuse_other_variants(kernel, image, device)
    links = link_set(image, kernel, symbol, device)
    refusal = find_refusal(kernel, links, device)
    if refusal:
        raise refusal.error()
    links.refuse_missing(kernel)
    _refuse_image_scope(kernel, links)
    # Native code is finished: what has to be linked must be in a form that the driver compiles.
    is_linked = len(links.images) > 1
    own = [] if is_linked else [form for form in _forms(image) if _is_own(form, device)]
    passed_over: dict[str, list[CodeForm]] = {}
    for form in own if takes_native else ():
        with image.being_read():
            reason = why_not_for_kernel(form, symbol, image.contents, device.target)
        reason = reason or why_not_native(form, device.native)
        if not reason:
            return Resolution(links, (form,), passed_over)
        passed_over.setdefault(reason, []).append(form)
    return Resolution(links, _compiled_forms(kernel, symbol, links, device), passed_over)


def _refuse_other_variants(kernel: str, image: ProgramImage, device: Device) -> None:
    with image.being_read():
        decided = image.contents.decided_targets
    if decided and not any(decides_for(name, device.target) for name in decided):
        raise _ForOtherTargets(
            f"there is no code of kernel '{kernel}' for target '{device.target}': {image} has"
            f" decided conditions for {' and '.join(decided)}",
            hint="build the program for that target too, or with spir64 among the targets",
        )


def _refuse_image_scope(kernel: str, links: LinkSet) -> None:
    """What an image has for itself it would have a second time in what it is linked to."""
    for image in links.images[1:]:
        with image.being_read():
            variables = image.contents.info.managed_globals
        for each in variables:
            if each.has_image_scope and each.number is not None:
                raise ProgramBuildError(
                    f"kernel '{kernel}' needs {image}, which has the device global"
                    f" '{demangled(each.identifier.partition('$')[0])}' for itself:"
                    " device_image_scope",
                    hint="leave the property out",
                )


def _compiled_forms(
    kernel: str, symbol: str, links: LinkSet, device: Device
) -> tuple[CodeForm, ...]:
    """Those that the driver compiles."""
    forms: list[CodeForm] = []
    for image in links.images:
        compiled = [form for form in _forms(image) if form.kind is not CodeKind.NATIVE]
        fitting = [f for f in compiled if _takes(f, device) and _is_meant_for(f, device)]
        if not fitting:
            raise _no_code(kernel, symbol, links, image, device)
        forms.append(fitting[0])
    return tuple(forms)


def _forms(image: ProgramImage) -> tuple[CodeForm, ...]:
    with image.being_read():
        return image.contents.forms


def _is_own(form: CodeForm, device: Device) -> bool:
    # What the device really is, whatever it stands for.
    target = device.native.description.target
    is_meant = any(covers(name, target) for name in form.only_for)
    return form.kind is CodeKind.NATIVE and is_meant and _takes(form, device)


def _is_meant_for(form: CodeForm, device: Device) -> bool:
    # What it stands for decides, but its own code is as good as native code would be.
    known_as = (device.target, device.native.description.target)
    return not form.only_for or any(covers(t, name) for t in form.only_for for name in known_as)


def _takes(form: CodeForm, device: Device) -> bool:
    return device.native.takes(form.kind)


def _no_code(
    kernel: str, symbol: str, links: LinkSet, image: ProgramImage, device: Device
) -> NoImageForDevice:
    target = device.native.description.target
    known = f" (target '{target}')" if target else ""
    whose = f"of kernel '{kernel}'" if image == links.root else f"that kernel '{kernel}' needs and"
    with image.being_read():
        there = [form for form in image.contents.forms if not image.contents.lack(form, symbol)]
    forms = ", ".join(dict.fromkeys(map(str, there)))
    failed = [name for name in image.contents.info.failed_targets if covers(name, target or "")]
    if failed:
        return NoImageForDevice(
            f"there is no code {whose} for '{device.name}'{known}: the compiler for"
            f" {failed[0]} failed on it when the program was built",
            hint="build the program again and see what it says, or with spir64 among the targets",
        )
    stand_in = f", though it stands for '{device.stands_for}'" if device.stands_for else ""
    return NoImageForDevice(
        f"there is no code {whose} that '{device.name}'{known} can take{stand_in}: {image} has"
        f" {forms or 'no code at all, only requirements'}",
        hint="build the program for that target too, or with spir64 among the targets",
    )


def _rank(resolution: Resolution) -> int:
    return 0 if resolution.forms[0].kind is CodeKind.NATIVE else 1


def values_for(image: ProgramImage, form: CodeForm, device: Device) -> Values:
    """The values of the constants in code of an image; none if it has no conditions.

    What is required has to be there on the device and on the target that it stands for; what
    conditions ask is for the latter to say.
    """

    def has(single: Requirements) -> bool:
        return meets(device, single)

    if form.kind is not CodeKind.SPIRV:
        return ()
    with image.being_read():
        constants = image.contents.constants
    if constants is None:
        return ()
    return tuple(sorted(constants.values(has, device.satisfies).items()))
