"""Metadata and attributes of modules that `dovetail post-link` reads.

Seeds are the modules of post-link's tests. Only numbers and texts in them are changed, so that most
remain valid IR.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random

from dovetail.artifacts import DeviceModule
from dovetail.device_metadata import facts_of
from dovetail.errors import DovetailError
from dovetail.image import encode_info, format_property_sets
from dovetail.postlink import PostLinked, SplitMode, WantedProperties, find_in_program, link_modules
from fuzz.edits import edited_bytes
from fuzz.reader import CHILD_COUNT, Reader
from fuzz.readers.ir_modules import parsed

_MODULES = Path(__file__).parents[2] / "tests" / "ir" / "postlink"
_PLACE = re.compile(rb'"[^"\n]*"|\b\d+\b')
_NUMBERS = (b"0", b"1", b"3", b"5", b"-1", b"99", b"4294967295", b"4294967296", b"9" * 30)
_TEXTS = (
    *(b"", b"0", b"-1", b"8,4", b"8,4,2,1", b"a", b"\\FF", b"true", b"sycl-module-id"),
    b"9" * 5000,
)


def _seeds() -> list[bytes]:
    """Return the modules that post-link accepts by themselves, without comments."""
    texts = (path.read_bytes() for path in sorted(_MODULES.glob("*.ll")))
    plain = [re.sub(rb"(?m)^;.*\n", b"", text) for text in texts]
    return [text for text in plain if _is_accepted(text)]


def _is_accepted(text: bytes) -> bool:
    with suppress(DovetailError):
        _read(text)
        return True
    return False


def _read(data: bytes) -> None:
    module = parsed(data)
    linked = link_modules([DeviceModule(module, facts_of(module))])
    program = PostLinked.of(linked, SplitMode.AUTO)
    find_in_program(linked, program.used, conditional=program.conditional)
    for image in program.images(WantedProperties(True, True, True, True, True)):
        format_property_sets(encode_info(image.info))


def _edit(data: bytes, random: Random) -> bytes:
    places = list(_PLACE.finditer(data))
    if not places:
        return edited_bytes(data, random)
    place = random.choice(places)
    if place[0].startswith(b'"'):
        other = random.choice(places)[0].strip(b'"') if random.random() < 0.4 else b""
        changed = b'"' + (other or random.choice(_TEXTS)) + b'"'
    else:
        changed = random.choice(_NUMBERS)
    return data[: place.start()] + changed + data[place.end() :]


READER = Reader(
    "metadata and attributes of modules that are linked and split",
    _seeds,
    _read,
    _edit,
    count=CHILD_COUNT,
    starts_children=True,
)
