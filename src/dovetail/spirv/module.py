"""A SPIR-V module as its words, and where its instructions begin.

Nothing in a file is believed: what does not fit is a `FormatError` that names the word. Time and
memory grow with the size of the file alone, whatever it claims.
"""

from array import array
from collections.abc import Iterator
from typing import Self

from dovetail.errors import FormatError
from dovetail.spirv.words import WORD, bytes_of, words_of

MAGIC = 0x0723_0203
_HEADER_WORDS = 5


class Module:
    """A module, which stays as it is; `Edit` makes new ones.

    An instruction is known by its place, the number of its first word. All its words are there: an
    instruction never goes beyond the end.
    """

    __slots__ = ("_swapped", "starts", "words")

    words: "array[int]"
    """All words, those of the header among them."""
    starts: "array[int]"
    """The places of all instructions."""

    def __init__(self, words: "array[int]", *, swapped: bool = False) -> None:
        """Take words as they are, big-endian ones in files if `swapped`."""
        if len(words) < _HEADER_WORDS:
            raise error(len(words), f"the header has {_HEADER_WORDS} words")
        if words[0] != MAGIC:
            raise error(0, f"the magic number is {words[0]:#010x}, not {MAGIC:#010x}")
        self.words = words
        self.starts = _starts(words)
        self._swapped = swapped

    @classmethod
    def read(cls, data: bytes | bytearray | memoryview) -> Self:
        """The module in a file, of either byte order; raises `FormatError`."""
        if len(data) % WORD:
            raise FormatError(f"SPIR-V has words of {WORD} bytes, and this has {len(data)} bytes")
        swapped = bytes(data[:WORD]) == MAGIC.to_bytes(WORD, "big")
        return cls(words_of(data, swapped=swapped), swapped=swapped)

    def to_bytes(self) -> bytes:
        """The module as a file, in the byte order it was read in."""
        return bytes_of(self.words, swapped=self._swapped)

    @property
    def is_swapped(self) -> bool:
        """Whether its file is big-endian."""
        return self._swapped

    @property
    def version(self) -> int:
        """Such as 0x10300 for 1.3."""
        return self.words[1]

    @property
    def generator(self) -> int:
        """Which tool made it, and which version of that."""
        return self.words[2]

    @property
    def bound(self) -> int:
        """All ids are below this."""
        return self.words[3]

    @property
    def schema(self) -> int:
        return self.words[4]

    def instructions(self) -> Iterator[tuple[int, int, int]]:
        """Opcode, place and number of words of each."""
        words = self.words
        for at in self.starts:
            word = words[at]
            yield word & 0xFFFF, at, word >> 16

    def opcode(self, at: int) -> int:
        return self.words[at] & 0xFFFF

    def end(self, at: int) -> int:
        """Where the instruction at a place ends."""
        return at + (self.words[at] >> 16)

    def operand(self, at: int, number: int) -> int:
        """One of an instruction's words, the first of which, the opcode, is word 0."""
        if at + number >= self.end(at):
            raise error(at, f"the instruction has {self.end(at) - at} words, and needs more")
        return self.words[at + number]

    def string(self, at: int, number: int) -> str:
        """The string that begins at one of an instruction's words."""
        data, _ = find_string(self.words, at + number, self.end(at))
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise error(at + number, "a string is not UTF-8") from None


def find_string(words: "array[int]", at: int, end: int) -> tuple[bytes, int]:
    """The string at a place, and where it ends, which must be before `end`."""
    data = bytes_of(words[at:end])
    size = data.find(0)
    if size < 0:
        raise error(at, "a string does not end in its instruction")
    return data[:size], at + size // WORD + 1


def error(at: int, problem: str) -> FormatError:
    """An error about what is at a word."""
    return FormatError(f"SPIR-V, word {at}: {problem}")


def _starts(words: "array[int]") -> "array[int]":
    """Where instructions begin, each of which says how long it is."""
    starts = array("I")
    add = starts.append
    at, end = _HEADER_WORDS, len(words)
    while at < end:
        count = words[at] >> 16
        if not count:
            raise error(at, "an instruction has no words")
        add(at)
        at += count
    if at > end:
        raise error(starts[-1], f"the instruction goes to word {at}, and the file to word {end}")
    return starts
