"""A piece of device code, built at most once for each device.

Programs that hold the same code share one image, so it is built once a process however often it
is loaded and however many threads ask at the same time.
"""

from hashlib import sha256
from threading import Lock
from weakref import WeakValueDictionary

from dovetail.runtime.backend import BackendDevice, BackendProgram
from dovetail.runtime.vetting import vet


class CodeImage:
    """SPIR-V, and what drivers made of it."""

    def __init__(self, spirv: bytes) -> None:
        self._spirv = spirv
        # Devices are told apart by identity: each has a context of its own.
        self._built: dict[BackendDevice, BackendProgram] = {}
        self._lock = Lock()

    def built_for(self, device: BackendDevice) -> BackendProgram:
        """The code built for `device`; what failed is tried again next time."""
        # Held during the build on purpose: whoever else wants this image has to wait for it anyway.
        with self._lock:
            program = self._built.get(device)
            if program is None:
                vet(self._spirv, device)
                program = self._built[device] = device.build(self._spirv)
        return program


_images: WeakValueDictionary[bytes, CodeImage] = WeakValueDictionary()
_images_lock = Lock()


def image_of(spirv: bytes) -> CodeImage:
    """The image with this code; the same one for the same bytes, as long as anyone uses it."""
    digest = sha256(spirv).digest()
    with _images_lock:
        image = _images.get(digest)
        if image is None:
            image = _images[digest] = CodeImage(spirv)
        return image
