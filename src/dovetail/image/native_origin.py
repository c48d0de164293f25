"""The compiler of native code and the driver and processor that it is for.

Machine code does not contain this. A driver may reject code that is damaged or for another release
or processor, but it may also crash or compute wrong results.
"""

from hashlib import sha256
from typing import NamedTuple

from dovetail.image.typed_set import Codec, SetReader, SetWriter
from dovetail.image.window import Bytes

_TEXTS = ("compiler", "driver", "processor")
_DIGEST = "sha256"


class NativeOrigin(NamedTuple):
    """The origin of native code."""

    compiler: str
    """Name and version, for display."""
    digest: bytes
    """SHA-256 of the code."""
    driver: str = ""
    """The only driver version that accepts the code; empty if there is no such limit."""
    processor: str = ""
    """The processor that the code is for; empty if the target has only one."""

    @classmethod
    def of(
        cls, compiler: str, code: Bytes, *, driver: str = "", processor: str = ""
    ) -> "NativeOrigin":
        return cls(compiler, sha256(code).digest(), driver, processor)

    def matches(self, code: Bytes) -> bool:
        """Whether `code` has the recorded digest."""
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
