"""Pieces of device code that are built together, at most once for each device.

Programs that hold the same code share it, so it is built once a process however often it is loaded
and however many threads ask at the same time.
"""

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock
from weakref import WeakValueDictionary

from dovetail.runtime.backend import BackendDevice, BackendProgram, Code
from dovetail.runtime.vetting import vet


class CodeImage:
    """Code, and what drivers made of it."""

    def __init__(self, parts: Sequence[Code]) -> None:
        self._parts = tuple(parts)
        # Devices are told apart by identity: each has a context of its own.
        self._built: dict[BackendDevice, BackendProgram] = {}
        self._lock = Lock()

    def built_for(self, device: BackendDevice) -> BackendProgram:
        """The code built for `device`; what failed is tried again next time."""
        # Held during the build on purpose: whoever else wants this image has to wait for it anyway.
        with self._lock:
            program = self._built.get(device)
            if program is None:
                vet(self._parts, device)
                program = self._built[device] = device.build(self._parts)
        return program


_images: WeakValueDictionary[bytes, CodeImage] = WeakValueDictionary()
_images_lock = Lock()


def image_of(parts: Sequence[Code]) -> CodeImage:
    """The image with this code; the same one for the same bytes, as long as anyone uses it."""
    digest = b"".join(sha256(part.data).digest() + part.kind.encode() for part in parts)
    with _images_lock:
        image = _images.get(digest)
        if image is None:
            image = _images[digest] = CodeImage(parts)
        return image
