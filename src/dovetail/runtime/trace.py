"""Printing the runtime's choices on standard error, as DOVETAIL_TRACE selects."""

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dovetail import conditions
from dovetail.printable import visible
from dovetail.runtime.device import Device
from dovetail.runtime.image_choice import Attempt, values_for
from dovetail.runtime.refusals import required_in_words

if TYPE_CHECKING:
    from dovetail.image import Constants


def trace_choice(kernel: str, device: Device, attempt: Attempt) -> None:
    """Print which images run a kernel, and why the others with the kernel do not."""
    lines = [f"dovetail: kernel '{kernel}' on '{device.name}':", *_lines(attempt, device)]
    sys.stderr.write("\n".join(map(visible, lines)) + "\n")


def _lines(attempt: Attempt, device: Device) -> Iterator[str]:
    """Yield a line for each image of the kernel: what it is used for, or why it is not."""
    used = attempt.chosen.links.images if attempt.chosen else ()
    if attempt.chosen:
        links = attempt.chosen.links
        for (image, reason), form in zip(links.reasons.items(), attempt.chosen.forms, strict=True):
            why = f", {reason}" if reason else ""
            yield f"  {image} is used: {form}, {len(form.data)} bytes{why}"
            constants, values = image.contents.constants, values_for(image, form, device)
            if constants and values:
                yield f"  {image} is specialized: {_true_constants(constants, dict(values))}"
        for reason, forms in attempt.chosen.rejected.items():
            listed = ", ".join(map(str, forms))
            yield f"  {links.root} has other code, which is not used: {listed}: {reason}"
    for image in attempt.images:
        if image in attempt.reasons:
            yield f"  {image} is not used: {attempt.reasons[image].message.splitlines()[0]}"
        elif image not in used:
            yield f"  {image} is not used: another image is preferred"
    program = attempt.images[0].program
    others = {*program.images} - {*attempt.images, *used}
    if others:
        yield f"  {len(others)} other images of {program.name} do not have the kernel"


def _true_constants(constants: "Constants", on: Mapping[int, bool]) -> str:
    """Return which of an image's constants are true, in words."""
    met = [required_in_words(each) for number, each in constants.required.items() if on[number]]
    holding = [leaf for number, leaf in constants.asked.items() if on[number]]
    true = [f"'{conditions.in_words(leaf)}'" for leaf in holding]
    conditions_met = ", ".join(true) or "none"
    return f"requirements met: {', '.join(met) or 'none'}; conditions that hold: {conditions_met}"
