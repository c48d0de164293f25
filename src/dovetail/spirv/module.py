"""A SPIR-V module as an array of words, with the offsets of its instructions.

Input is not trusted: malformed files raise a `FormatError` that names the word. Time and memory are
bounded by the size of the file, whatever its fields say.
"""

from array import array
from collections.abc import Iterator
from typing import Self

from dovetail.errors import FormatError
from dovetail.spirv.words import WORD_BYTES, bytes_of, words_of

MAGIC = 0x0723_0203
_HEADER_WORDS = 5


class SpirvModule:
    """An immutable module; `Edit` creates changed ones.

    An instruction is identified by the offset of its first word, usually named `offset`. No
    instruction extends beyond the end of the module.
    """

    __slots__ = ("_swapped", "starts", "words")

    words: "array[int]"
    """All words, including the header."""
    starts: "array[int]"
    """The word offsets of all instructions."""

    def __init__(self, words: "array[int]", *, swapped: bool = False) -> None:
        """Create a module of words in host byte order; files are big-endian if `swapped`."""
        if len(words) < _HEADER_WORDS:
            raise error(len(words), f"expected a header of {_HEADER_WORDS} words")
        if words[0] != MAGIC:
            raise error(0, f"expected the magic number {MAGIC:#010x}, got {words[0]:#010x}")
        self.words = words
        self.starts = _starts(words)
        self._swapped = swapped

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview) -> Self:
        """Parse a file of either byte order; raise `FormatError` if it is malformed."""
        if len(data) % WORD_BYTES:
            raise FormatError(
                f"SPIR-V: expected a multiple of {WORD_BYTES} bytes, got {len(data)} bytes"
            )
        swapped = bytes(data[:WORD_BYTES]) == MAGIC.to_bytes(WORD_BYTES, "big")
        return cls(words_of(data, swapped=swapped), swapped=swapped)

    def to_bytes(self) -> bytes:
        """Return the module as a file, in the byte order of the original."""
        return bytes_of(self.words, swapped=self._swapped)

    @property
    def is_swapped(self) -> bool:
        """Whether the file is big-endian."""
        return self._swapped

    @property
    def version(self) -> int:
        """The version in the header, such as 0x10300 for 1.3."""
        return self.words[1]

    @property
    def generator(self) -> int:
        """The generator's magic number: a tool and its version."""
        return self.words[2]

    @property
    def bound(self) -> int:
        """The bound: all ids are below it."""
        return self.words[3]

    @property
    def schema(self) -> int:
        return self.words[4]

    def instructions(self) -> Iterator[tuple[int, int, int]]:
        """Yield the opcode, word offset and length of each instruction."""
        words = self.words
        for offset in self.starts:
            word = words[offset]
            yield word & 0xFFFF, offset, word >> 16

    def opcode(self, offset: int) -> int:
        return self.words[offset] & 0xFFFF

    def end(self, offset: int) -> int:
        """Return the offset after the instruction at `offset`."""
        return offset + (self.words[offset] >> 16)

    def operand(self, offset: int, number: int) -> int:
        """Return a word of an instruction; word 0 has the opcode."""
        if offset + number >= self.end(offset):
            raise error(
                offset, f"expected more than {self.end(offset) - offset} words in the instruction"
            )
        return self.words[offset + number]

    def string(self, offset: int, number: int) -> str:
        """Return the string that begins at a word of an instruction."""
        data, _ = find_string(self.words, offset + number, self.end(offset))
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise error(offset + number, "the string is not UTF-8") from None


def find_string(words: "array[int]", offset: int, end: int) -> tuple[bytes, int]:
    """Return the string at a word offset, and the offset after it, which is at most `end`."""
    data = bytes_of(words[offset:end])
    size = data.find(0)
    if size < 0:
        raise error(offset, "the string has no terminating zero in its instruction")
    return data[:size], offset + size // WORD_BYTES + 1


def error(offset: int, problem: str) -> FormatError:
    """Return an error that names a word offset."""
    return FormatError(f"SPIR-V, word {offset}: {problem}")


def _starts(words: "array[int]") -> "array[int]":
    """Return the word offsets of all instructions."""
    starts = array("I")
    add = starts.append
    offset, end = _HEADER_WORDS, len(words)
    while offset < end:
        count = words[offset] >> 16
        if not count:
            raise error(offset, "the instruction has length 0")
        add(offset)
        offset += count
    if offset > end:
        raise error(starts[-1], f"the instruction ends at word {offset}, the file at word {end}")
    return starts
