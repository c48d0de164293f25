"""What made native code and what takes it: a set of our own beside a native image.

Machine code says neither. A driver that is given code of another release, for another processor,
or that was damaged, may refuse it, crash or compute something else.
"""

from hashlib import sha256
from typing import NamedTuple

from dovetail.image.property_sets import PropertySets
from dovetail.image.typed_set import SetReader, SetWriter
from dovetail.image.window import Bytes

NATIVE_ORIGIN_SET = "Dovetail/native code"

_TEXTS = ("compiler", "driver", "processor")
_DIGEST = "sha256"


class NativeOrigin(NamedTuple):
    """Where native code comes from."""

    compiler: str
    """With its version, for people."""
    digest: bytes
    """SHA-256 of the code."""
    driver: str = ""
    """The version of the driver that takes it; empty if others may, too."""
    processor: str = ""
    """What the code was made for, of all that the target stands for; empty if that is one."""

    @classmethod
    def of(
        cls, compiler: str, code: Bytes, *, driver: str = "", processor: str = ""
    ) -> "NativeOrigin":
        return cls(compiler, sha256(code).digest(), driver, processor)

    def is_of(self, code: Bytes) -> bool:
        """Whether the code is what was made."""
        return sha256(code).digest() == self.digest


def origin_properties(origin: NativeOrigin | None) -> dict[str, int | bytes]:
    """What goes into the set; nothing for code from elsewhere."""
    if origin is None:
        return {}
    writer = SetWriter(NATIVE_ORIGIN_SET)
    for key in _TEXTS:
        if getattr(origin, key):
            writer.add_text(key, getattr(origin, key))
    return {**writer.properties, _DIGEST: origin.digest}


def origin_of(sets: PropertySets) -> NativeOrigin | None:
    """What the set says, None if there is none; `FormatError` if it makes no sense."""
    if NATIVE_ORIGIN_SET not in sets:
        return None
    reader = SetReader(NATIVE_ORIGIN_SET, sets)
    compiler, driver, processor = map(reader.text, _TEXTS)
    return NativeOrigin(compiler, reader.data(_DIGEST), driver, processor)
