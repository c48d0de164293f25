"""Pieces of device code that are built together, at most once for each device.

Programs that hold the same code share it, so it is built once a process however often it is loaded
and however many threads ask at the same time. What other processes have built is in the cache.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Lock, RLock
from typing import TypeAlias
from weakref import WeakValueDictionary

from dovetail.runtime.backend import BackendDevice, BackendProgram, Code, CodeKind, Values
from dovetail.runtime.built_code import build_cached

SetUp: TypeAlias = Callable[[BackendProgram], object]
"""Called once for code that was built; what it returns lives as long as the code."""


class CodeImage:
    """Code, and what drivers made of it."""

    def __init__(self, parts: Sequence[Code], digests: Sequence[bytes]) -> None:
        """`digests` are the parts' own, SHA-256."""
        self._parts = tuple(parts)
        self._digests = tuple(digests)
        # Devices are told apart by identity: each has a context of its own.
        self._built: dict[BackendDevice, BackendProgram] = {}
        self._kept: list[object] = []
        # A signal's handler may launch a kernel while its thread builds this.
        self._lock = RLock()

    def built_for(self, device: BackendDevice, set_up: SetUp | None = None) -> BackendProgram:
        """The code built for `device`; what failed is tried again next time."""
        # Held during the build on purpose: whoever else wants this image has to wait for it anyway.
        with self._lock:
            program = self._built.get(device)
            if program is None:
                program = build_cached(self._parts, self._digests, device)
                if set_up:
                    self._kept.append(set_up(program))
                self._built[device] = program
        return program


_Name = tuple[tuple[int, ...], tuple[tuple[CodeKind, bytes, Values], ...]]
_images: WeakValueDictionary[_Name, CodeImage] = WeakValueDictionary()
_images_lock = Lock()


def image_of(parts: Sequence[Code], owners: Sequence[int] = ()) -> CodeImage:
    """The image with this code; the same one for the same bytes and values, while anyone uses it.

    Code that holds variables of programs is for these alone; `owners` are their numbers.
    """
    digests = [sha256(part.data).digest() for part in parts]
    code = ((p.kind, digest, p.values) for p, digest in zip(parts, digests, strict=True))
    name = (tuple(owners), tuple(code))
    with _images_lock:
        image = _images.get(name)
        if image is None:
            image = _images[name] = CodeImage(parts, digests)
        return image
