"""A packaged program: reading it, and finding its kernels."""

import os
from collections.abc import Callable, Iterator
from functools import cache

from dovetail.errors import FormatError, KernelNotFound
from dovetail.files import read_bytes, write_atomically
from dovetail.image import (
    AbstractModule,
    IRModule,
    IRType,
    kernels_of,
    naming_file,
    read_program,
)
from dovetail.runtime.code_image import CodeImage, image_of
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.kernel_names import find_kernel


class Program:
    """A set of kernels. `program["name"]` is one of them, by any name that fits only one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._kernels: dict[str, Kernel] = {}
        """By symbol, in the file's order."""
        self._found: dict[str, Kernel] = {}
        """By the names that were asked for."""
        for module in read_program(data).abstract_modules:
            self._add_kernels(module)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Program":
        """The program in a packaged file's content."""
        return cls(bytes(data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the packaged program to a file, whole or not at all."""
        write_atomically(path, self._data)

    def to_bytes(self) -> bytes:
        """The packaged program, as `save` writes it."""
        return self._data

    @property
    def kernels(self) -> list[Kernel]:
        return list(self._kernels.values())

    def __getitem__(self, name: str) -> Kernel:
        kernel = self._found.get(name)
        if kernel is None:
            if not isinstance(name, str):
                raise KernelNotFound(f"kernels have names; {name!r} is none")
            info = find_kernel(name, [kernel.info for kernel in self])
            kernel = self._found[name] = self._kernels[info.symbol]
        return kernel

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self.kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        names = ", ".join(kernel.name for kernel in self)
        return f"<Program with {len(self)} kernels: {names}>"

    def _add_kernels(self, module: AbstractModule) -> None:
        image = _spirv_image(module)
        for info in kernels_of(module):
            known = self._kernels.get(info.symbol)
            # A kernel can be in several modules; one that has code serves better than one without.
            if known is None or not known.has_code:
                self._kernels[info.symbol] = Kernel(info, image)


def load(path: str | os.PathLike[str]) -> Program:
    """The packaged program in a file."""
    data = read_bytes(path)
    try:
        return Program.from_bytes(data)
    except FormatError as error:
        raise naming_file(error, path) from None


def _spirv_image(module: AbstractModule) -> Callable[[], CodeImage] | None:
    """The module's SPIR-V, left unread until one of its kernels is launched."""
    spirv = next((ir for ir in module.ir_modules if ir.ir_type is IRType.SPIRV), None)
    return None if spirv is None else _once(spirv)


def _once(module: IRModule) -> Callable[[], CodeImage]:
    return cache(lambda: image_of(bytes(module.code)))
