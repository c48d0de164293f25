"""Choosing the code that runs a kernel on a device, or explaining why there is none.

The steps: find the images with the kernel, find the images to link with each, check the device
against the requirements of all of them, and choose a form of their code. Code is not read before
that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dovetail.errors import DovetailError, FormatError, NoImageForDevice, ProgramBuildError
from dovetail.fit import Requirements
from dovetail.runtime.backend import CodeKind, Values
from dovetail.runtime.demangle import variable_name
from dovetail.runtime.device import Device
from dovetail.runtime.linking import LinkSet, link_set
from dovetail.runtime.program_image import (
    NO_CONSTANTS,
    CodeForm,
    ConstantValues,
    ProgramImage,
    ScalarValue,
)
from dovetail.runtime.refusals import KernelNotSupported, find_refusal, meets
from dovetail.targets.coverage import covers, decides_for, runs_native
from dovetail.targets.nvidia import native_distance, ptx_distance

_OTHER_TARGETS_HINT = "build the program for that target too, or add spir64 to its targets"
_NATIVE_HINT = "build the program for that target too: {}"


@dataclass(frozen=True)
class ImageChoice:
    """The images and forms of code that run a kernel on a device."""

    links: LinkSet
    forms: tuple[CodeForm, ...]
    """The form of each linked image."""
    rejected: Mapping[str, Sequence[CodeForm]]
    """Native code for the target that cannot be used, by reason."""


class _ForOtherTargets(NoImageForDevice):
    """Conditions in the image's code are resolved for other targets."""


@dataclass(frozen=True)
class Attempt:
    """The result of looking for a kernel's code."""

    images: tuple[ProgramImage, ...]
    """The images with the kernel."""
    chosen: ImageChoice | None
    reasons: dict[ProgramImage, DovetailError]
    """Why each other image cannot be used."""

    @property
    def problem(self) -> DovetailError | None:
        """Why nothing was chosen; None if something was.

        If an image fits the device, why it cannot be used; otherwise what the device lacks. Images
        for other targets are mentioned only if there are no others.
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


def choose_image(
    kernel: str,
    symbol: str,
    images: Sequence[ProgramImage],
    device: Device,
    *,
    constants: ConstantValues = NO_CONSTANTS,
    allow_native: bool = True,
) -> Attempt:
    """Choose the best of the images with the kernel, of which there is at least one.

    `constants` are values of specialization constants. Native code has the default values, unless
    the back-end can store others in it.
    """
    found: list[ImageChoice] = []
    reasons: dict[ProgramImage, DovetailError] = {}
    for image in images:
        try:
            found.append(_try(kernel, symbol, image, device, constants, allow_native))
        except (KernelNotSupported, ProgramBuildError, FormatError) as error:
            # Tracebacks refer to this frame, which would keep the program loaded.
            error.__context__ = None
            reasons[image] = error.with_traceback(None)
    best = min(found, key=lambda choice: _rank(choice, device), default=None)
    return Attempt(tuple(images), best, reasons)


def _try(
    kernel: str,
    symbol: str,
    image: ProgramImage,
    device: Device,
    constants: ConstantValues,
    allow_native: bool,
) -> ImageChoice:
    """Return an image with those it is linked with, and their code; raise an error if none runs."""
    _refuse_other_variants(kernel, image, device)
    links = link_set(image, kernel, symbol, device)
    refusal = find_refusal(kernel, links, device)
    if refusal:
        raise refusal.error()
    links.refuse_missing(kernel)
    _refuse_image_scope(kernel, links)
    # Native code cannot be linked: only forms that the driver compiles can.
    is_linked = len(links.images) > 1
    own = [] if is_linked else [form for form in _forms(image) if _is_own(form, device)]
    own.sort(key=lambda form: _distance(form, device))
    rejected: dict[str, list[CodeForm]] = {}
    needs_values = bool(own and constants and specialization_of(image, constants))
    may_be_native = allow_native and (not needs_values or device.native.stores_constants)
    for form in own if may_be_native else ():
        reason = _why_not(form, symbol, image, device)
        if not reason:
            return ImageChoice(links, (form,), rejected)
        rejected.setdefault(reason, []).append(form)
    return ImageChoice(links, _compiled_forms(kernel, symbol, links, device), rejected)


def _why_not(form: CodeForm, symbol: str, image: ProgramImage, device: Device) -> str:
    """Return why a kernel cannot run from an image's native code; empty if it can."""
    # Imported late: most programs have no native code.
    from dovetail.runtime.native_code import why_not_for_kernel, why_not_native

    with image.being_read():
        reason = why_not_for_kernel(form, symbol, image.contents, device.target)
    return reason or why_not_native(form, device.native)


def _refuse_other_variants(kernel: str, image: ProgramImage, device: Device) -> None:
    """Raise an error if the conditions in an image are resolved for other targets."""
    with image.being_read():
        resolved = image.contents.resolved_targets
    if resolved and not any(decides_for(name, device.target) for name in resolved):
        raise _ForOtherTargets(
            f"there is no code of kernel '{kernel}' for target '{device.target}': the conditions in"
            f" {image} are resolved for {' and '.join(resolved)}",
            hint=_OTHER_TARGETS_HINT,
        )


def _refuse_image_scope(kernel: str, links: LinkSet) -> None:
    """Raise `ProgramBuildError` if linking would copy a device global with image scope."""
    for image in links.images[1:]:
        with image.being_read():
            variables = image.contents.info.managed_globals
        for each in variables:
            if each.has_image_scope and each.number is not None:
                raise ProgramBuildError(
                    f"kernel '{kernel}' needs {image}, which cannot be linked: its device global"
                    f" '{variable_name(each.identifier)}' has the property"
                    " device_image_scope",
                    hint="remove the property",
                )


def _compiled_forms(
    kernel: str, symbol: str, links: LinkSet, device: Device
) -> tuple[CodeForm, ...]:
    """Return the form of each image that the driver compiles."""
    forms: list[CodeForm] = []
    for image in links.images:
        compiled = [form for form in _forms(image) if form.kind is not CodeKind.NATIVE]
        fitting = [f for f in compiled if _is_supported(f, device) and _is_meant_for(f, device)]
        if not fitting:
            raise _no_code(kernel, symbol, links, image, device)
        forms.append(min(fitting, key=lambda form: _distance(form, device)))
    return tuple(forms)


def _forms(image: ProgramImage) -> tuple[CodeForm, ...]:
    with image.being_read():
        return image.contents.forms


def _is_own(form: CodeForm, device: Device) -> bool:
    # The actual target of the device, not an emulated one.
    target = device.native.description.target
    is_meant = any(runs_native(name, target) for name in form.only_for)
    return form.kind is CodeKind.NATIVE and is_meant and _is_supported(form, device)


def _is_meant_for(form: CodeForm, device: Device) -> bool:
    # Code for an emulated target or for the device's own.
    known_as = (device.target, device.native.description.target)
    if form.kind is CodeKind.PTX and form.only_for:
        return any(ptx_distance(form.only_for, name) is not None for name in known_as)
    return not form.only_for or any(covers(t, name) for t in form.only_for for name in known_as)


def _distance(form: CodeForm, device: Device) -> int:
    """Return how much older the code's architecture is than the device's: less is better."""
    target = device.native.description.target
    if form.kind is CodeKind.PTX:
        return ptx_distance(form.only_for, target) or 0
    distances = (native_distance(name, target) for name in form.only_for)
    return min((each for each in distances if each is not None), default=0)


def _is_supported(form: CodeForm, device: Device) -> bool:
    return device.native.supports(form.kind)


def _no_code(
    kernel: str, symbol: str, links: LinkSet, image: ProgramImage, device: Device
) -> NoImageForDevice:
    """Return the error about an image without code in a form that the device accepts."""
    target = device.native.description.target
    known = f" (target '{target}')" if target else ""
    whose = f"of kernel '{kernel}'" if image == links.root else f"that kernel '{kernel}' needs and"
    with image.being_read():
        contents = image.contents
        available = [form for form in contents.forms if not contents.missing_for(form, symbol)]
    forms = ", ".join(dict.fromkeys(map(str, available)))
    failed = [name for name in image.contents.info.failed_targets if covers(name, target or "")]
    if failed:
        return NoImageForDevice(
            f"there is no code {whose} for '{device.name}'{known}: the compiler for"
            f" {failed[0]} failed on it when the program was built",
            hint="build the program again for the compiler's message, or add spir64 to its targets",
        )
    emulated = f", which emulates '{device.stands_for}'" if device.stands_for else ""
    return NoImageForDevice(
        f"there is no code {whose} for '{device.name}'{known}{emulated}: {image} has"
        f" {forms or 'only requirements, no code'}",
        hint=_hint(device),
    )


def _hint(device: Device) -> str:
    if device.native.supports(CodeKind.SPIRV):
        return _OTHER_TARGETS_HINT
    return _NATIVE_HINT.format(device.native.description.target)


def specialization_of(image: ProgramImage, constants: ConstantValues) -> tuple[ScalarValue, ...]:
    """Return the values of an image's specialization constants that differ from the defaults."""
    with image.being_read():
        return image.contents.specialization(constants)


def _rank(choice: ImageChoice, device: Device) -> tuple[bool, int]:
    form = choice.forms[0]
    return form.kind is not CodeKind.NATIVE, _distance(form, device)


def values_for(image: ProgramImage, form: CodeForm, device: Device) -> Values:
    """Return the values of the constants in an image's code; none if it has no conditions.

    Requirements must be met by the device and by the target that it emulates; conditions depend
    only on the target.
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
