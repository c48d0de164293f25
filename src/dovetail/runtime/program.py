"""A packaged program: reading it, and finding its kernels."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dovetail.errors import DovetailError, FormatError, KernelNotFound
from dovetail.files import PROGRAM, read_bytes, write_atomically
from dovetail.image import naming_file, read_program
from dovetail.kernel_info import KernelInfo
from dovetail.runtime.device import Device
from dovetail.runtime.kernel import Kernel
from dovetail.runtime.program_image import ProgramImage, ProgramImages

if TYPE_CHECKING:
    from dovetail.image import ManagedGlobal
    from dovetail.runtime.device_globals import DeviceVariables
    from dovetail.runtime.specialization import ProgramConstants


class Program:
    """A set of kernels. `program["name"]` returns one of them, by any unambiguous name.

    As long as the program or one of its kernels exists, other programs can import its functions.
    """

    def __init__(self, data: bytes, name: str = "a program in memory") -> None:
        self._data = data
        self._images = ProgramImages(read_program(data), data, name)
        self._kernels = _kernels(self._images)
        """By symbol, in the file's order."""
        self._found: dict[str, Kernel] = {}
        """By the names used so far."""

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "a program in memory") -> "Program":
        """Return the program in the content of a packaged file; messages call it `name`."""
        return cls(bytes(data), name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the packaged program to a file, atomically."""
        write_atomically(path, self._data)

    def to_bytes(self) -> bytes:
        """Return the packaged program, as `save` writes it."""
        return self._data

    @property
    def kernels(self) -> list[Kernel]:
        return list(self._kernels.values())

    def __getitem__(self, name: str) -> Kernel:
        kernel = self._found.get(name)
        if kernel is None:
            if not isinstance(name, str):
                raise KernelNotFound(f"expected the name of a kernel, got {name!r}")
            # Imported late: C++ programs find kernels by symbol.
            from dovetail.runtime.kernel_names import find_kernel

            info = find_kernel(name, [kernel.info for kernel in self])
            kernel = self._found[name] = self._kernels[info.symbol]
        return kernel

    @cached_property
    def device_globals(self) -> "DeviceVariables":
        """The program's device globals, by name."""
        # Imported late: most programs have none.
        from dovetail.runtime.device_globals import DeviceVariable, DeviceVariables

        kept: dict[str, ManagedGlobal] = {}
        for image in self._images.images:
            with image.being_read():
                for variable in image.contents.info.managed_globals:
                    kept.setdefault(variable.identifier, variable)
        return DeviceVariables(
            {
                identifier: DeviceVariable(
                    variable,
                    self._images.global_memory,
                    tuple(
                        kernel
                        for kernel in self
                        if variable.has_image_scope and kernel.may_use(identifier)
                    ),
                )
                for identifier, variable in kept.items()
            }
        )

    @property
    def specialization_constants(self) -> "ProgramConstants":
        """The specialization constants that kernels read, by name."""
        # Imported late: most programs have none.
        from dovetail.runtime.specialization import constants_of

        return constants_of(self._images.images, "the program")

    def specialize(self, values: Mapping[str, object]) -> "Program":
        """Return the program with values of specialization constants, by name.

        A value is a number, a list of numbers, a NumPy array or scalar, or bytes. All others keep
        their values. Both programs share their device globals.
        """
        encoded = self.specialization_constants.encode(values)
        specialized = object.__new__(type(self))
        specialized._data, specialized._images = self._data, self._images
        specialized._kernels = {
            symbol: kernel.with_constants(encoded) for symbol, kernel in self._kernels.items()
        }
        specialized._found = {}
        return specialized

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self.kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        names = ", ".join(kernel.name for kernel in self)
        return f"<Program with {len(self)} kernels: {names}>"

    def fit(self, device: Device) -> dict[str, DovetailError | None]:
        """Return, by signature, the error that launching each kernel on `device` would raise, or
        None.

        Nothing is built.
        """
        return {kernel.signature: kernel.fit(device) for kernel in self}


def _kernels(program: ProgramImages) -> dict[str, Kernel]:
    """Return the kernels by symbol; one can be in several images, for different targets."""
    infos: dict[str, KernelInfo] = {}
    images: dict[str, list[ProgramImage]] = {}
    for image in program.images:
        for info in image.contents.info.kernels if image.contents.info.add_on is None else ():
            infos.setdefault(info.symbol, info)
            images.setdefault(info.symbol, []).append(image)
    return {symbol: Kernel(info, images[symbol]) for symbol, info in infos.items()}


def load(path: str | os.PathLike[str]) -> Program:
    """Return the packaged program in a file."""
    data = read_bytes(path, PROGRAM)
    try:
        return Program.from_bytes(data, os.fspath(path))
    except FormatError as error:
        raise naming_file(error, path) from None
