"""Pieces of device code that are built together, at most once for each device.

Programs that hold the same code share it, so it is built once a process however often it is loaded
and however many threads ask at the same time. What other processes have built is in the cache.
"""

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock, RLock
from weakref import WeakValueDictionary

from dovetail.runtime.backend import BackendDevice, BackendProgram, Code, CodeKind
from dovetail.runtime.built_code import built


class CodeImage:
    """Code, and what drivers made of it."""

    def __init__(self, parts: Sequence[Code], digests: Sequence[bytes]) -> None:
        """`digests` are the parts' own, SHA-256."""
        self._parts = tuple(parts)
        self._digests = tuple(digests)
        # Devices are told apart by identity: each has a context of its own.
        self._built: dict[BackendDevice, BackendProgram] = {}
        # A signal's handler may launch a kernel while its thread builds this.
        self._lock = RLock()

    def built_for(self, device: BackendDevice) -> BackendProgram:
        """The code built for `device`; what failed is tried again next time."""
        # Held during the build on purpose: whoever else wants this image has to wait for it anyway.
        with self._lock:
            program = self._built.get(device)
            if program is None:
                program = built(self._parts, self._digests, device)
                self._built[device] = program
        return program


_images: WeakValueDictionary[tuple[tuple[CodeKind, bytes], ...], CodeImage] = WeakValueDictionary()
_images_lock = Lock()


def image_of(parts: Sequence[Code]) -> CodeImage:
    """The image with this code; the same one for the same bytes, as long as anyone uses it."""
    digests = [sha256(part.data).digest() for part in parts]
    name = tuple(zip((part.kind for part in parts), digests, strict=True))
    with _images_lock:
        image = _images.get(name)
        if image is None:
            image = _images[name] = CodeImage(parts, digests)
        return image
