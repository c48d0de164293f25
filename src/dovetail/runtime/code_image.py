"""Device code that is linked and built together, once for each device.

Programs with the same code share it, so a process builds it once, however often it is loaded and
however many threads need it at the same time. Binaries of other processes are in the cache.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Lock, RLock
from typing import TypeAlias
from weakref import WeakValueDictionary

from dovetail.runtime.backend import (
    BackendDevice,
    BackendProgram,
    Code,
    CodeKind,
    Specialization,
    Values,
    VariableValue,
)
from dovetail.runtime.built_code import build_cached

SetUp: TypeAlias = Callable[[BackendProgram], object]
"""Called once after code is built; its result lives as long as the code."""


class CodeImage:
    """Device code and its builds by device."""

    def __init__(self, parts: Sequence[Code], digests: Sequence[bytes]) -> None:
        """`digests` are the SHA-256 digests of the parts."""
        self._parts = tuple(parts)
        self._digests = tuple(digests)
        # Compared by identity: each device object has its own context.
        self._built: dict[BackendDevice, BackendProgram] = {}
        self._kept: list[object] = []
        # Reentrant: a signal handler may launch a kernel while its thread builds this.
        self._lock = RLock()

    def built_for(self, device: BackendDevice, set_up: SetUp | None = None) -> BackendProgram:
        """Return the code for `device`, which the first call builds; a failed build is repeated."""
        # Held during the build: other threads that need this image have to wait for it anyway.
        with self._lock:
            program = self._built.get(device)
            if program is None:
                program = build_cached(self._parts, self._digests, device)
                if set_up:
                    self._kept.append(set_up(program))
                self._built[device] = program
        return program


_PartName = tuple[CodeKind, bytes, Values, Specialization, tuple[VariableValue, ...]]
_Name = tuple[tuple[int, ...], tuple[_PartName, ...]]
_images: WeakValueDictionary[_Name, CodeImage] = WeakValueDictionary()
_images_lock = Lock()


def image_of(parts: Sequence[Code], owners: Sequence[int] = ()) -> CodeImage:
    """Return the image with this code: a shared one for the same bytes and values while in use.

    Code with device globals belongs to its programs; `owners` are their numbers.
    """
    digests = [sha256(part.data).digest() for part in parts]
    code = (
        (part.kind, digest, part.values, part.specialization, part.variables)
        for part, digest in zip(parts, digests, strict=True)
    )
    name = (tuple(owners), tuple(code))
    with _images_lock:
        image = _images.get(name)
        if image is None:
            image = _images[name] = CodeImage(parts, digests)
        return image
