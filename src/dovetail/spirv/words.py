"""Words, strings in words, and single instructions as words."""

import sys
from array import array

from dovetail.errors import FormatError

WORD = 4
"""The bytes of a word."""

MOST_WORDS = 0xFFFF
"""Of one instruction, whose length has 16 bits."""

NEVER = 0xFFFF_FFFF
"""The version, as a header has versions, of what no version has without an extension."""


def words_of(data: bytes | bytearray | memoryview, *, swapped: bool = False) -> "array[int]":
    """Little-endian words, or big-endian ones if `swapped`; a whole number of them."""
    words = array("I")
    # Python promises two bytes at least; every platform that has the packages we need has four.
    assert words.itemsize == WORD
    words.frombytes(data)
    if swapped != (sys.byteorder == "big"):
        words.byteswap()
    return words


def bytes_of(words: "array[int]", *, swapped: bool = False) -> bytes:
    """The opposite."""
    if swapped != (sys.byteorder == "big"):
        words = words[:]
        words.byteswap()
    return words.tobytes()


def string_words(text: str) -> "array[int]":
    """A string as an operand: its first byte is the lowest of the first word, zeros end it."""
    data = text.encode()
    if b"\0" in data:
        raise FormatError("a string in SPIR-V cannot hold a zero byte")
    return words_of(data + bytes(WORD - len(data) % WORD))


def instruction(opcode: int, *operands: int | str) -> "array[int]":
    """The words of one instruction, whose operands are words and strings."""
    words = array("I", (0,))
    for operand in operands:
        if isinstance(operand, str):
            words.extend(string_words(operand))
        else:
            words.append(operand)
    if len(words) > MOST_WORDS:
        raise FormatError(
            f"an instruction of SPIR-V has at most {MOST_WORDS} words, and this needs {len(words)}"
        )
    words[0] = len(words) << 16 | opcode
    return words
