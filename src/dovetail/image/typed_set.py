"""Typed reading and writing of one property set, with errors that name set and key.

A codec converts the value of a field to properties and back. It knows neither the set's name, which
the schema has, nor other fields.
"""

from collections.abc import Callable, Iterator, Mapping
from struct import pack, unpack
from typing import Generic, NamedTuple, TypeVar

from dovetail.errors import FormatError

_Value = TypeVar("_Value")

MAX_DIMENSIONS = 3

_WIDTHS = {"I": 4, "Q": 8}
"""Size of a number in bytes, by its format character in `struct`."""


class SetWriter:
    """Collects the properties of one set."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.properties: dict[str, int | bytes] = {}

    def add_data(self, key: str, data: bytes) -> None:
        """Add a byte array; `FormatError` if the key exists."""
        if key in self.properties:
            raise self.error(key, "appears twice")
        self.properties[key] = data

    def error(self, key: str, problem: str) -> FormatError:
        return _error(self._name, key, problem)

    def add_array(self, key: str, values: tuple[int, ...], code: str) -> None:
        """Add 32-bit (`I`) or 64-bit (`Q`) numbers as a byte array."""
        self._check_range(key, values, _WIDTHS[code] * 8)
        self.properties[key] = pack(f"<{len(values)}{code}", *values)

    def add_number(self, key: str, value: int) -> None:
        self._check_range(key, (value,), 32)
        self.properties[key] = value

    def add_text(self, key: str, text: str) -> None:
        try:
            self.properties[key] = text.encode()
        except UnicodeEncodeError:
            raise self.error(key, f"{text!r} is not valid Unicode") from None

    def add_padded_size(
        self, key: str, size: tuple[int, ...], code: str, *, dimensions_key: str
    ) -> None:
        """Add a work-group size as DPC++ writes it: padded with ones, and the dimension count."""
        self.check_sizes(key, size)
        # The fastest dimension comes first, as in OpenCL; in the attribute it is the last.
        padding = (1,) * (MAX_DIMENSIONS - len(size))
        self.add_array(key, (*reversed(size), *padding), code)
        self.add_number(dimensions_key, len(size))

    def check_sizes(self, key: str, sizes: tuple[int, ...]) -> None:
        """Check that there are one to three positive sizes."""
        if not 1 <= len(sizes) <= MAX_DIMENSIONS or not all(size > 0 for size in sizes):
            raise self.error(key, f"expected one to three positive numbers, got {sizes}")

    def _check_range(self, key: str, values: tuple[int, ...], bits: int) -> None:
        for value in values:
            if not 0 <= value < 1 << bits:
                raise self.error(key, f"{value} does not fit into {bits} bits")


def needs_64_bits(sizes: tuple[int, ...]) -> bool:
    """Whether any of the sizes does not fit into 32 bits."""
    return any(size >> 32 for size in sizes)


class SetReader:
    """Reads the properties of one set."""

    def __init__(self, name: str, properties: Mapping[str, int | bytes]) -> None:
        self._name = name
        self._properties = properties

    def __contains__(self, key: str) -> bool:
        return key in self._properties

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys in order."""
        return iter(self._properties)

    def __len__(self) -> int:
        return len(self._properties)

    def error(self, key: str, problem: str) -> FormatError:
        return _error(self._name, key, problem)

    def set_error(self, problem: str) -> FormatError:
        """Return an error about the set as a whole."""
        return FormatError(f"set '{self._name}': {problem}")

    def data(self, key: str) -> bytes:
        """Return a byte array, which is empty if there is no such property."""
        value = self._properties.get(key, b"")
        if not isinstance(value, bytes):
            raise self.error(key, "expected a byte array, got a number")
        return value

    def text(self, key: str) -> str:
        """Decode a byte array as a string."""
        try:
            return self.data(key).decode()
        except UnicodeDecodeError:
            raise self.error(key, "is not UTF-8") from None

    def array(self, key: str, code: str) -> tuple[int, ...]:
        """Return the 32-bit (`I`) or 64-bit (`Q`) numbers in a byte array."""
        value = self.data(key)
        width = _WIDTHS[code]
        if len(value) % width:
            raise self.error(key, f"expected {width * 8}-bit numbers, got {len(value)} bytes")
        return unpack(f"<{len(value) // width}{code}", value)

    def number(self, key: str) -> int | None:
        value = self._properties.get(key)
        if isinstance(value, bytes):
            raise self.error(key, "expected a number, got a byte array")
        return value

    def size(self, key: str) -> int | None:
        """Return a number, which must not be 0."""
        number = self.number(key)
        if number is not None:
            self.sizes(key, (number,))
        return number

    def sizes(self, key: str, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """Return `sizes` after checking that none is 0."""
        if 0 in sizes:
            raise self.error(key, "a size is 0")
        return sizes

    def padded_size(self, key: str, code: str, *, dimensions_key: str) -> tuple[int, ...]:
        """Return a work-group size as DPC++ writes it; empty if there is no such property."""
        if key not in self:
            return ()
        padded = self.sizes(key, self.array(key, code))
        if not 1 <= len(padded) <= MAX_DIMENSIONS:
            raise self.error(key, f"expected one to three sizes, got {len(padded)}")
        # Older compilers write one size per dimension, and no count.
        count = self.number(dimensions_key)
        if count is None:
            count = len(padded)
        if not 1 <= count <= len(padded):
            problem = f"expected 1 to {len(padded)} dimensions, got {count}"
            raise self.error(dimensions_key, problem)
        if any(size != 1 for size in padded[count:]):
            raise self.error(key, f"a size other than 1 after {count} dimensions")
        return tuple(reversed(padded[:count]))


class Codec(NamedTuple, Generic[_Value]):
    """Writes the value of a field into a set, and reads it from a set."""

    encode: Callable[[SetWriter, _Value], None]
    decode: Callable[[SetReader], _Value]


def _error(set_name: str, key: str, problem: str) -> FormatError:
    return FormatError(f"property '{key}' of set '{set_name}': {problem}")
