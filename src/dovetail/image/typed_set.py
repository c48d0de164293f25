"""One property set, written and read by type, with errors that name set and key.

A codec turns the value of a field into properties and back. It knows neither the set's name, which
the schema has, nor what else an image says.
"""

from collections.abc import Callable, Iterator, Mapping
from struct import pack, unpack
from typing import Generic, NamedTuple, TypeVar

from dovetail.errors import FormatError

_Value = TypeVar("_Value")

MAX_DIMENSIONS = 3

_WIDTHS = {"I": 4, "Q": 8}
"""Bytes of a number, by the letter that `struct` has for it."""


class SetWriter:
    """Collects the properties of one set."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.properties: dict[str, int | bytes] = {}

    def add_data(self, key: str, data: bytes) -> None:
        """Add a byte array; `FormatError` if the key is there."""
        if key in self.properties:
            raise self.error(key, "is there twice")
        self.properties[key] = data

    def error(self, key: str, problem: str) -> FormatError:
        return _error(self._name, key, problem)

    def add_array(self, key: str, values: tuple[int, ...], code: str) -> None:
        """Numbers of 32 bits (`I`) or 64 (`Q`), as a byte array."""
        self._check_range(key, values, _WIDTHS[code] * 8)
        self.properties[key] = pack(f"<{len(values)}{code}", *values)

    def add_number(self, key: str, value: int) -> None:
        self._check_range(key, (value,), 32)
        self.properties[key] = value

    def add_text(self, key: str, text: str) -> None:
        try:
            self.properties[key] = text.encode()
        except UnicodeEncodeError:
            raise self.error(key, f"{text!r} is not UTF-8") from None

    def add_padded_size(
        self, key: str, size: tuple[int, ...], code: str, *, dimensions_key: str
    ) -> None:
        """A work-group size as DPC++ writes it: with ones up to three, and how many count."""
        self.check_sizes(key, size)
        # The fastest dimension first, as OpenCL counts them; the attribute has it last.
        padding = (1,) * (MAX_DIMENSIONS - len(size))
        self.add_array(key, (*reversed(size), *padding), code)
        self.add_number(dimensions_key, len(size))

    def check_sizes(self, key: str, sizes: tuple[int, ...]) -> None:
        """Refuse what is not one to three sizes."""
        if not 1 <= len(sizes) <= MAX_DIMENSIONS or not all(size > 0 for size in sizes):
            raise self.error(key, f"{sizes} is not one to three positive numbers")

    def _check_range(self, key: str, values: tuple[int, ...], bits: int) -> None:
        for value in values:
            if not 0 <= value < 1 << bits:
                raise self.error(key, f"{value} is not a number of {bits} bits")


def needs_64_bits(sizes: tuple[int, ...]) -> bool:
    """Whether one of the sizes does not fit into 32 bits."""
    return any(size >> 32 for size in sizes)


class SetReader:
    """Looks at the properties of one set."""

    def __init__(self, name: str, properties: Mapping[str, int | bytes]) -> None:
        self._name = name
        self._properties = properties

    def __contains__(self, key: str) -> bool:
        return key in self._properties

    def __iter__(self) -> Iterator[str]:
        """The keys, in order."""
        return iter(self._properties)

    def __len__(self) -> int:
        return len(self._properties)

    def error(self, key: str, problem: str) -> FormatError:
        return _error(self._name, key, problem)

    def set_error(self, problem: str) -> FormatError:
        """Return an error about the set as a whole."""
        return FormatError(f"set '{self._name}' {problem}")

    def data(self, key: str) -> bytes:
        """A byte array; an empty one if there is no such property."""
        value = self._properties.get(key, b"")
        if not isinstance(value, bytes):
            raise self.error(key, "is a number, not a byte array")
        return value

    def text(self, key: str) -> str:
        """The string that a byte array holds."""
        try:
            return self.data(key).decode()
        except UnicodeDecodeError:
            raise self.error(key, "is no text in UTF-8") from None

    def array(self, key: str, code: str) -> tuple[int, ...]:
        """The numbers of 32 bits (`I`) or 64 (`Q`) in a byte array."""
        value = self.data(key)
        width = _WIDTHS[code]
        if len(value) % width:
            raise self.error(key, f"{len(value)} bytes are no array of {width * 8}-bit numbers")
        return unpack(f"<{len(value) // width}{code}", value)

    def number(self, key: str) -> int | None:
        value = self._properties.get(key)
        if isinstance(value, bytes):
            raise self.error(key, "is a byte array, not a number")
        return value

    def size(self, key: str) -> int | None:
        """A number that is not 0."""
        number = self.number(key)
        if number is not None:
            self.sizes(key, (number,))
        return number

    def sizes(self, key: str, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The same sizes, if they are some."""
        if 0 in sizes:
            raise self.error(key, "a size of 0")
        return sizes

    def padded_size(self, key: str, code: str, *, dimensions_key: str) -> tuple[int, ...]:
        """A work-group size as DPC++ writes it; none if there is no such property."""
        if key not in self:
            return ()
        padded = self.sizes(key, self.array(key, code))
        if not 1 <= len(padded) <= MAX_DIMENSIONS:
            raise self.error(key, f"{len(padded)} sizes instead of one to three")
        # Older compilers write as many sizes as there are dimensions, and no count.
        count = self.number(dimensions_key)
        if count is None:
            count = len(padded)
        if not 1 <= count <= len(padded):
            raise self.error(dimensions_key, f"{count} dimensions of {len(padded)}")
        if any(size != 1 for size in padded[count:]):
            raise self.error(key, f"a size other than 1 after {count} dimensions")
        return tuple(reversed(padded[:count]))


class Codec(NamedTuple, Generic[_Value]):
    """How the value of a field is written into a set, and read from one that is there."""

    encode: Callable[[SetWriter, _Value], None]
    decode: Callable[[SetReader], _Value]


def _error(set_name: str, key: str, problem: str) -> FormatError:
    return FormatError(f"property '{key}' of set '{set_name}': {problem}")
