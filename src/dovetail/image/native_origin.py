"""What made native code and what takes it: a set of our own beside a native image.

Machine code says neither. A driver that is given code of another release, for another processor,
or that was damaged, may refuse it, crash or compute something else.
"""

from hashlib import sha256
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.image.window import Bytes

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


def _encode(into: SetWriter, origin: NativeOrigin) -> None:
    for key in _TEXTS:
        if getattr(origin, key):
            into.add_text(key, getattr(origin, key))
    into.add_data(_DIGEST, origin.digest)


def _decode(source: SetReader) -> NativeOrigin:
    compiler, driver, processor = map(source.text, _TEXTS)
    return NativeOrigin(compiler, source.data(_DIGEST), driver, processor)


NATIVE_ORIGIN = Codec(_encode, _decode)
