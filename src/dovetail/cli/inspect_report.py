"""The report of `dovetail inspect` on images, as text and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from dovetail.analysis import aspect_text
from dovetail.cli.inspect_images import ConditionalContent, Contents, Image, InspectedCode
from dovetail.cli.inspect_targets import group_by_missing, names_of, target_summaries
from dovetail.conditions import Condition, in_words
from dovetail.image import (
    AddOn,
    AspectUse,
    Constants,
    DeviceGlobal,
    Requirements,
    SpecializationConstant,
)
from dovetail.kernel_info import KernelInfo
from dovetail.printable import visible

_NAMES_IN_SUMMARY = 8
_BYTES_SHOWN = 16


def as_text(contents: Contents) -> Iterator[str]:
    """Yield the lines: the number of images, targets, then a block for each image."""
    count = len(contents.images)
    images = f"{count} image" if count == 1 else f"{count} images"
    state = "" if contents.state is None else f", in state '{contents.state}'"
    yield f"{images}{state}"
    yield from map(visible, _target_lines(contents))
    for number, image in enumerate(contents.images):
        yield ""
        yield from map(visible, _image_lines(number, image, contents))


def as_json(contents: Contents) -> dict[str, object]:
    """Return the report as a JSON document; docs/formats.md describes it."""
    return {
        "state": contents.state,
        "host_processor": contents.host_cpu_kind or None,
        "targets": [
            {"name": name, **asdict(summary)}
            for name, summary in target_summaries(contents).items()
        ],
        "images": [_image_document(image) for image in contents.images],
    }


def _target_lines(contents: Contents) -> Iterator[str]:
    for name, summary in target_summaries(contents).items():
        images = f"{summary.images} image" if summary.images == 1 else f"{summary.images} images"
        counted = {"filtered": summary.filtered, "failed": summary.failed}
        others = "".join(f", {count} {what}" for what, count in counted.items() if count)
        yield f"  {name}: {images}, {_bytes(summary.size)}{others}"
        for each in summary.filtered_kernels:
            yield f"    filtered (lacks {', '.join(each.missing)}): {_first_of(each.kernels)}"
        if summary.failed_kernels:
            yield f"    no native code (the compiler failed): {_first_of(summary.failed_kernels)}"


def _first_of(names: Sequence[str]) -> str:
    """Return the first names; the images list all of them."""
    more = len(names) - _NAMES_IN_SUMMARY
    return ", ".join(names[:_NAMES_IN_SUMMARY]) + (f" and {more} more" if more > 0 else "")


def _image_lines(number: int, image: Image, contents: Contents) -> Iterator[str]:
    yield f"image {number}: {_code_text(image)}"
    kinds = [code.processor for code in image.code if code.processor]
    if kinds and contents.host_cpu_kind not in ("", *kinds):
        yield f"  no native code for this machine's CPU kind, {contents.host_cpu_kind}"
    if image.info.add_on:
        yield f"  {_add_on_text(image.info.add_on, contents)}"
    yield f"  requires {', '.join(_requirements_in_words(image.info.requirements)) or 'nothing'}"
    if image.info.compile_target:
        yield f"  built for {image.info.compile_target} only"
    if image.info.fixed_targets:
        yield f"  fixed to {', '.join(image.info.fixed_targets)}"
    for missing, targets in group_by_missing(image.info.filtered_targets).items():
        lack = "lacks" if len(targets) == 1 else "lack"
        yield f"  not for {', '.join(targets)}, which {lack} {', '.join(missing)}"
    yield from _filtered_kernel_lines(image)
    if image.info.failed_targets:
        yield f"  no native code for {', '.join(image.info.failed_targets)}: the compiler failed"
    if image.info.resolved_targets:
        yield f"  conditions resolved for {', '.join(image.info.resolved_targets)}"
    if image.conditional:
        yield from _conditional_lines(image)
    for symbol, text in _entry_points(image).items():
        yield f"  {text}"
        yield from _function_lines(symbol, image)
        for aspect, use in image.info.aspect_uses.get(symbol, {}).items():
            yield f"    {_use_text(aspect, use)}"
    for symbol in image.info.imports:
        yield f"  imports {symbol}"
    for identifier, condition in image.info.add_ons.items():
        yield f"  add-on {identifier}, if {in_words(condition)}{_pair_text(identifier, contents)}"
    for device_global in image.info.device_globals:
        yield f"  {_device_global_text(device_global, image.info.global_variables)}"

    for constant in image.info.specialization_constants:
        default = image.default_values[constant.identifier]
        yield f"  {_specialization_constant_text(constant, default)}"


def _filtered_kernel_lines(image: Image) -> Iterator[str]:
    """Yield the kernels that targets' code does not contain, grouped by targets."""
    targets: dict[tuple[tuple[str, tuple[str, ...]], ...], list[str]] = {}
    for name, kernels in image.info.filtered_kernels.items():
        targets.setdefault(tuple(kernels.items()), []).append(name)
    for kernels, names in targets.items():
        lack = "lacks" if len(names) == 1 else "lack"
        for missing, symbols in group_by_missing(dict(kernels)).items():
            filtered = ", ".join(names_of(image, symbols))
            yield f"  without {filtered} for {', '.join(names)}, which {lack} {', '.join(missing)}"


def _conditional_lines(image: Image) -> Iterator[str]:
    constants = image.conditional.constants
    count = len(constants.required) + len(constants.asked)
    yield f"  conditional, with {count} constant{'' if count == 1 else 's'}"
    if not image.info.conditional_calls:
        # Images of other toolchains have no further details.
        for condition, aspects in image.conditional.aspects.items():
            words = _requirements_in_words(Requirements(aspects))
            yield f"  uses {', '.join(words)}, if {in_words(condition)}"


def _function_lines(symbol: str, image: Image) -> Iterator[str]:
    """Yield a function's requirements, in conditional images, and its conditional calls."""
    required = image.conditional.required
    if symbol in required:
        yield f"    requires {', '.join(_requirements_in_words(required[symbol])) or 'nothing'}"
    for call in image.info.conditional_calls.get(symbol, ()):
        yield f"    calls {call.action}, if {in_words(call.condition)}"


def _add_on_text(add_on: AddOn, contents: Contents) -> str:
    """Return an add-on's identifier, kind and condition; the images that name it have the last."""
    named = (image.info.add_ons.get(add_on.identifier) for image in contents.images)
    texts = dict.fromkeys(f", if {in_words(condition)}" for condition in named if condition)
    return f"is add-on {add_on.identifier}{''.join(texts) or ', of no image'}: {add_on.kind}"


def _pair_text(identifier: str, contents: Contents) -> str:
    """Return the images of a pair of add-ons, the real one first."""
    found = [
        (not image.info.add_on.is_real, f"{image.info.add_on.kind} in image {number}")
        for number, image in enumerate(contents.images)
        if image.info.add_on and image.info.add_on.identifier == identifier
    ]
    return f": {', '.join(text for _, text in sorted(found))}" if found else ": missing"


def _entry_points(image: Image) -> dict[str, str]:
    """Return a description of each entry point, by symbol."""
    texts = {kernel.symbol: f"kernel {_kernel_text(kernel)}" for kernel in image.info.kernels}
    # Programs of other toolchains contain only the names of kernels.
    for symbol in image.info.kernel_names:
        texts.setdefault(symbol, f"kernel {symbol}")
    for symbol in image.info.exports:
        texts.setdefault(symbol, f"exports {symbol}")
    for symbol in (*image.conditional.required, *image.info.conditional_calls):
        texts.setdefault(symbol, f"action {symbol}")
    for symbol in image.info.aspect_uses:
        texts.setdefault(symbol, f"entry point {symbol}")
    return texts


def _code_text(image: Image) -> str:
    # Code for several CPU kinds is shown as one form.
    by_form: dict[tuple[str, str], list[InspectedCode]] = {}
    for code in image.code:
        by_form.setdefault((code.kind, _where(code)), []).append(code)
    parts = [_forms_text(forms) for forms in by_form.values()] or ["no code"]
    if image.info.opt_level is not None:
        parts.append(f"-O{image.info.opt_level}")
    return ", ".join(parts)


def _where(code: InspectedCode) -> str:
    target = ", ".join(code.targets) or code.arch or code.target
    return f" for {target}" if target else f" in {code.file}" if code.file else ""


def _forms_text(forms: Sequence[InspectedCode]) -> str:
    """Return the description of forms that differ only in the CPU kind."""
    first = forms[0]
    kinds = ", ".join(code.processor for code in forms if code.processor)
    on = f" on {kinds}" if kinds else ""
    return f"{first.kind}{_where(first)}{on} ({_bytes(sum(code.size for code in forms))})"


def _requirements_in_words(requirements: Requirements) -> Iterator[str]:
    for aspect in map(aspect_text, requirements.aspects):
        yield f"aspect {aspect}" if aspect.isdecimal() else aspect
    if requirements.sub_group_size is not None:
        yield f"sub-groups of {requirements.sub_group_size}"
    if requirements.work_group_size:
        yield f"work-groups of {'x'.join(map(str, requirements.work_group_size))}"


def _kernel_text(kernel: KernelInfo) -> str:
    named = {None: "any range", 0: "single task"}
    launch_range = named.get(kernel.dimensions, f"nd_range<{kernel.dimensions}>")
    place = f", {kernel.file}:{kernel.line}" if kernel.file else ""
    return f"{kernel.signature}: {launch_range}{place}"


def _use_text(aspect: str, use: AspectUse) -> str:
    text = f"{aspect}: {use.place}, {use.what}"
    if not use.calls:
        return text
    path = "".join(f" -> {call.callee} ({call.place})" for call in use.calls)
    return f"{text}, through {use.calls[0].caller}{path}"


def _device_global_text(device_global: DeviceGlobal, variables: Mapping[str, str]) -> str:
    variable = variables.get(device_global.identifier)
    return (
        f"device global {device_global.identifier}: {_bytes(device_global.size)}"
        f"{', of image scope' if device_global.has_image_scope else ''}"
        f"{f', variable {variable}' if variable else ''}"
    )


def _specialization_constant_text(constant: SpecializationConstant, default: bytes) -> str:
    first, last = constant.scalars[0].spec_id, constant.scalars[-1].spec_id
    shown = default[:_BYTES_SHOWN].hex(" ")
    return (
        f"specialization constant {constant.identifier}: {_bytes(constant.size)},"
        f" SpecId {first}{f' to {last}' if last != first else ''},"
        f" default {shown}{' …' if len(default) > _BYTES_SHOWN else ''}"
    )


def _bytes(size: int) -> str:
    return f"{size} byte" if size == 1 else f"{size} bytes"


def _image_document(image: Image) -> dict[str, object]:
    described = {kernel.symbol for kernel in image.info.kernels}
    return {
        "code": [_code_document(code) for code in image.code],
        "opt_level": image.info.opt_level,
        "requirements": requirements_document(image.info.requirements),
        "compile_target": image.info.compile_target or None,
        "fixed_targets": list(image.info.fixed_targets),
        "filtered_targets": _lists(image.info.filtered_targets),
        "filtered_kernels": {
            name: _lists(each) for name, each in image.info.filtered_kernels.items()
        },
        "failed_targets": list(image.info.failed_targets),
        "resolved_targets": list(image.info.resolved_targets),
        "add_on": image.info.add_on._asdict() if image.info.add_on else None,
        "add_ons": {name: _condition_document(each) for name, each in image.info.add_ons.items()},
        "conditional_calls": {
            symbol: [
                {"action": call.action, "condition": _condition_document(call.condition)}
                for call in calls
            ]
            for symbol, calls in image.info.conditional_calls.items()
        },
        "conditional": _conditional_document(image.conditional) if image.conditional else None,
        "kernel_names": list(image.info.kernel_names),
        "kernels": [
            {
                **asdict(kernel),
                "aspects": _uses_document(image.info.aspect_uses.get(kernel.symbol, {})),
            }
            for kernel in image.info.kernels
        ],
        "aspect_uses": {
            symbol: _uses_document(uses)
            for symbol, uses in image.info.aspect_uses.items()
            if symbol not in described
        },
        "exported": list(image.info.exports),
        "imported": list(image.info.imports),
        "device_globals": [
            {**each._asdict(), "variable": image.info.global_variables.get(each.identifier)}
            for each in image.info.device_globals
        ],
        "specialization_constants": [
            {
                "identifier": each.identifier,
                "size": each.size,
                "default": image.default_values[each.identifier].hex(),
                "scalars": [scalar._asdict() for scalar in each.scalars],
                "kinds": image.info.specialization_kinds.get(each.identifier),
            }
            for each in image.info.specialization_constants
        ],
    }


def _lists(lacking: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: list(missing) for name, missing in lacking.items()}


def _conditional_document(conditional: ConditionalContent) -> dict[str, object]:
    return {
        "constants": _constants_document(conditional.constants),
        "requirements": {
            symbol: requirements_document(each) for symbol, each in conditional.required.items()
        },
        "aspects": [
            {
                "condition": _condition_document(condition),
                "aspects": requirements_document(Requirements(aspects))["aspects"],
            }
            for condition, aspects in conditional.aspects.items()
        ],
    }


def _constants_document(constants: Constants) -> list[dict[str, object]]:
    """Return the constants, ascending by `SpecId`."""
    required = {i: {"required": requirements_document(s)} for i, s in constants.required.items()}
    asked = {i: {"asked": _condition_document(leaf)} for i, leaf in constants.asked.items()}
    return [{"spec_id": i, **meaning} for i, meaning in sorted({**required, **asked}.items())]


def _condition_document(condition: Condition) -> dict[str, object]:
    return {"integers": list(condition), "in_words": in_words(condition)}


def _code_document(code: InspectedCode) -> dict[str, object]:
    """Return the known fields of a form of code."""
    return {key: value for key, value in asdict(code).items() if value not in ("", ())}


def requirements_document(requirements: Requirements) -> dict[str, object]:
    """Return requirements as a JSON document."""
    return {
        "aspects": [aspect_text(aspect) for aspect in requirements.aspects],
        "sub_group_size": requirements.sub_group_size,
        "work_group_size": list(requirements.work_group_size) or None,
    }


def _uses_document(uses: Mapping[str, AspectUse]) -> dict[str, object]:
    return {aspect: asdict(use) for aspect, use in uses.items()}
