"""Conversion of bytes, strings and instructions to words."""

import sys
from array import array

from dovetail.errors import FormatError

WORD_BYTES = 4
"""The size of a word in bytes."""

MAX_INSTRUCTION_WORDS = 0xFFFF
"""The maximum length of an instruction, which is a 16-bit field."""

NEVER = 0xFFFF_FFFF
"""Used as a version for enumerants that always need an extension."""


def words_of(data: bytes | bytearray | memoryview, *, swapped: bool = False) -> "array[int]":
    """Return the words of little-endian bytes, or of big-endian ones if `swapped`."""
    words = array("I")
    # Python guarantees only two bytes; all supported platforms have four.
    assert words.itemsize == WORD_BYTES
    words.frombytes(data)
    if swapped != (sys.byteorder == "big"):
        words.byteswap()
    return words


def bytes_of(words: "array[int]", *, swapped: bool = False) -> bytes:
    """Return words as little-endian bytes, or as big-endian ones if `swapped`."""
    if swapped != (sys.byteorder == "big"):
        words = words[:]
        words.byteswap()
    return words.tobytes()


def string_words(text: str) -> "array[int]":
    """Return a string as an operand: little-endian bytes, terminated and padded with zeros."""
    data = text.encode()
    if b"\0" in data:
        raise FormatError("a SPIR-V string cannot contain a zero byte")
    return words_of(data + bytes(WORD_BYTES - len(data) % WORD_BYTES))


def instruction(opcode: int, *operands: int | str) -> "array[int]":
    """Return the words of an instruction, whose operands are words and strings."""
    words = array("I", (0,))
    for operand in operands:
        if isinstance(operand, str):
            words.extend(string_words(operand))
        else:
            words.append(operand)
    if len(words) > MAX_INSTRUCTION_WORDS:
        raise FormatError(
            f"expected at most {MAX_INSTRUCTION_WORDS} words in a SPIR-V instruction,"
            f" got {len(words)}"
        )
    words[0] = len(words) << 16 | opcode
    return words
