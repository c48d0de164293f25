"""Telling on standard error what the runtime decides, if DOVETAIL_TRACE asks for it."""

import sys
from collections.abc import Iterator

from dovetail.runtime.device import Device
from dovetail.runtime.resolution import Attempt
from dovetail.settings import TRACE


def tell_choice(kernel: str, device: Device, attempt: Attempt) -> None:
    """Which image was taken for a kernel, and why each other was not."""
    if "images" in TRACE.value().split(","):
        lines = [f"dovetail: kernel '{kernel}' on '{device.name}':", *_lines(attempt)]
        sys.stderr.write("\n".join(lines) + "\n")


def _lines(attempt: Attempt) -> Iterator[str]:
    taken = attempt.chosen.links.images if attempt.chosen else ()
    if attempt.chosen:
        links = attempt.chosen.links
        why = {need.image: f", {need.reason}" for need in links.needs}
        for image, form in zip(links.images, attempt.chosen.forms, strict=True):
            yield f"  {image} is taken: {form}, {len(form.data)} bytes{why.get(image, '')}"
        for reason in attempt.chosen.passed_over:
            yield f"  {links.root} has other code, which is not taken: {reason}"
    for image in attempt.images:
        if image in attempt.reasons:
            yield f"  {image} is not taken: {attempt.reasons[image].message.splitlines()[0]}"
        elif image not in taken:
            yield f"  {image} is not taken: the other serves better"
    program = attempt.images[0].program
    others = {*program.images} - {*attempt.images, *taken}
    if others:
        yield f"  {len(others)} more of {program.name} do not have the kernel"
