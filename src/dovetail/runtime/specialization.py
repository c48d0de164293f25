"""Values of specialization constants from Python, by the names of the constants.

In: numbers, arrays or bytes. Out: the bytes of each constant's value, by identifier.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from dovetail.errors import ArgumentError, ArgumentTypeError, ArgumentValueError
from dovetail.image import SpecializationConstant
from dovetail.runtime.demangle import find_variable, variable_name
from dovetail.runtime.program_image import ConstantValues, ProgramImage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND = "specialization constant"

_FORMATS = {
    ("i", 1): "bB",
    ("i", 2): "hH",
    ("i", 4): "iI",
    ("i", 8): "qQ",
    ("f", 2): "e",
    ("f", 4): "f",
    ("f", 8): "d",
}
"""The format characters of `struct` for a scalar, by kind and size; integers may be unsigned."""

_NUMPY_KINDS = {"f": "f", "i": "i", "u": "i", "b": "i"}
"""The kind of a scalar for NumPy's letters, of types that are not structured."""

_NAMES = {"i": "integer", "f": "number"}


@dataclass(frozen=True)
class ProgramConstant:
    """A specialization constant that kernels of a program read."""

    described: SpecializationConstant
    kinds: str
    """A letter for each scalar; empty if another toolchain described it."""
    default: bytes
    """The default value; bytes that no kernel reads may be zero."""

    @property
    def identifier(self) -> str:
        """Its unique identifier in host and device code."""
        return self.described.identifier

    @property
    def name(self) -> str:
        """The qualified C++ name."""
        return variable_name(self.identifier)

    @property
    def size(self) -> int:
        """Size of its value in bytes."""
        return self.described.size

    def encode(self, value: object) -> bytes:
        """Return the bytes of a value: a number, several numbers, a NumPy array, or bytes."""
        if isinstance(value, bytes | bytearray):
            return self._sized(bytes(value), f"{len(value)} bytes")
        if isinstance(value, int | float):
            return self._encode_numbers([value])
        if isinstance(value, list | tuple):
            return self._encode_numbers(cast(Sequence[object], value))
        return self._encode_array(value)

    def _sized(self, data: bytes, given: str) -> bytes:
        if len(data) != self.size:
            raise self._error(f"expected a value of {self.size} bytes, got {given}")
        return data

    def _encode_numbers(self, values: Sequence[object]) -> bytes:
        kind, size = self._element()
        count = self.size // size
        if len(values) != count:
            raise self._error(f"expected {_counted(count, _NAMES[kind])}, got {len(values)}")
        return b"".join(self._encode_number(value, kind, size) for value in values)

    def _encode_number(self, value: object, kind: str, size: int) -> bytes:
        wanted = int if kind == "i" else int | float
        if not isinstance(value, wanted):
            raise self._error(f"expected {_counted(1, _NAMES[kind])}, got {value!r}", is_type=True)
        for code in _FORMATS[kind, size]:
            try:
                return struct.pack(f"<{code}", value)
            except (struct.error, OverflowError):
                continue
        raise self._error(f"{value!r} does not fit into {8 * size} bits")

    def _element(self) -> tuple[str, int]:
        """Return kind and size of the scalars, if the constant is a number or an array of them."""
        scalars = self.described.scalars
        elements = {(kind, each.size) for kind, each in zip(self.kinds, scalars, strict=False)}
        if len(elements) == 1 and len(self.kinds) == len(scalars):
            (element,) = elements
            if element in _FORMATS and self.size % element[1] == 0:
                return element
        raise self._error(
            "its value is not a number or an array of numbers of one type",
            hint="pass its bytes, or a structured NumPy scalar",
        )

    def _encode_array(self, value: object) -> bytes:
        # Imported late: programs that pass numbers need not load it for this.
        import numpy as np

        if not isinstance(value, np.ndarray | np.generic):
            raise self._error(
                f"expected numbers, a NumPy array or bytes, got {type(value).__name__}",
                is_type=True,
            )
        array = np.asarray(cast("NDArray[np.generic]", value))
        dtype = array.dtype
        if dtype.hasobject:
            raise self._error(f"expected numbers, got an array of {dtype}")
        if dtype.kind in _NUMPY_KINDS:
            element = self._element()
            if (_NUMPY_KINDS[dtype.kind], dtype.itemsize) != element:
                kind, size = element
                raise self._error(
                    f"expected {_NAMES[kind]}s of {8 * size} bits, got {dtype}",
                    hint="convert it with .astype(...)",
                    is_type=True,
                )
        return self._sized(array.tobytes(), f"{array.nbytes} bytes of {dtype}")

    def _error(self, problem: str, hint: str = "", *, is_type: bool = False) -> ArgumentError:
        kind = ArgumentTypeError if is_type else ArgumentValueError
        return kind(f"{KIND} '{self.name}': {problem}", hint=hint)


class ProgramConstants(Mapping[str, ProgramConstant]):
    """The specialization constants of a program or kernel, by any unambiguous name."""

    def __init__(self, constants: Mapping[str, ProgramConstant], owner: str) -> None:
        self._constants = constants
        self._owner = owner

    def __getitem__(self, name: str) -> ProgramConstant:
        return self._constants[find_variable(name, self._constants, self._owner, KIND)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._constants)

    def __len__(self) -> int:
        return len(self._constants)

    def encode(self, values: Mapping[str, object]) -> ConstantValues:
        """Return the bytes of values, by identifier; names are as for `[]`."""
        constants = {name: self[name] for name in values}
        return {
            constant.identifier: constant.encode(values[name])
            for name, constant in constants.items()
        }


def constants_of(images: Iterable[ProgramImage], owner: str) -> ProgramConstants:
    """Return the specialization constants that code of images reads."""
    found: dict[str, ProgramConstant] = {}
    for image in images:
        with image.being_read():
            info, defaults = image.contents.info, image.contents.default_values
            for each in info.specialization_constants:
                kinds = info.specialization_kinds.get(each.identifier, "")
                constant = ProgramConstant(each, kinds, defaults[each.identifier])
                found.setdefault(each.identifier, constant)
    return ProgramConstants(found, owner)


def _counted(count: int, noun: str) -> str:
    article = "an" if noun[0] in "aeiou" else "a"
    return f"{article} {noun}" if count == 1 else f"{count} {noun}s"
