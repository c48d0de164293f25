"""Reading modules as words, and errors for malformed ones."""

import re
from array import array

import pytest
from fuzz.modules import BOUND, KERNEL, VERSION, kernel, module_of

from dovetail.errors import FormatError
from dovetail.spirv import SpirvModule, instruction
from dovetail.spirv.opcodes import ENTRY_POINT, FUNCTION_END, NAME
from dovetail.spirv.words import MAX_INSTRUCTION_WORDS

HEADER = module_of()


def big_endian(data: bytes) -> bytes:
    words = array("I", data)
    words.byteswap()
    return words.tobytes()


def refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        SpirvModule.read(data)


@pytest.mark.parametrize("data", [kernel(), HEADER, big_endian(kernel())])
def test_modules_are_written_unchanged(data: bytes) -> None:
    assert SpirvModule.read(data).to_bytes() == data
    assert SpirvModule.read(bytearray(data)).to_bytes() == data
    assert SpirvModule.read(memoryview(data)).to_bytes() == data


def test_both_byte_orders_are_equivalent() -> None:
    little, big = SpirvModule.read(kernel()), SpirvModule.read(big_endian(kernel()))
    assert little.words == big.words
    assert (little.is_swapped, big.is_swapped) == (False, True)


def test_header() -> None:
    module = SpirvModule.read(kernel())
    assert (module.version, module.generator, module.bound, module.schema) == (VERSION, 0, BOUND, 0)


def test_instructions() -> None:
    module = SpirvModule.read(kernel())
    found = list(module.instructions())
    assert found[0] == (17, 5, 2)
    assert found[-1] == (FUNCTION_END, len(module.words) - 1, 1)
    assert [at for _, at, _ in found] == list(module.starts)


def test_strings() -> None:
    module = SpirvModule.read(kernel())
    entry = next(at for opcode, at, _ in module.instructions() if opcode == ENTRY_POINT)
    assert module.operand(entry, 2) == KERNEL
    assert module.string(entry, 3) == "kernel"
    assert SpirvModule.read(module_of(instruction(NAME, 1, "ä" * 9))).string(5, 2) == "ä" * 9


@pytest.mark.parametrize("text", ["", "abc", "abcd", "äöü"])
def test_strings_of_any_length(text: str) -> None:
    words = instruction(NAME, 1, text)
    assert len(words) == 3 + len(text.encode()) // 4
    assert SpirvModule.read(module_of(words)).string(5, 2) == text


def test_files_that_are_not_modules() -> None:
    refused(b"", "SPIR-V, word 0: expected a header of 5 words")
    refused(HEADER[:16], "SPIR-V, word 4: expected a header of 5 words")
    refused(HEADER[:-1], "got 19 bytes")
    refused(bytes(20), "SPIR-V, word 0: expected the magic number 0x07230203, got 0x00000000")


def test_invalid_lengths() -> None:
    refused(HEADER + bytes(4), "SPIR-V, word 5: the instruction has length 0")
    longer = module_of(instruction(253), array("I", (9 << 16 | 5, 1)))
    refused(longer, "SPIR-V, word 6: the instruction ends at word 15, the file at word 8")


def test_invalid_strings() -> None:
    endless = array("I", (3 << 16 | NAME, 1, 0x6161_6161))
    module = SpirvModule.read(module_of(endless, instruction(253)))
    with pytest.raises(FormatError, match="SPIR-V, word 7: the string has no terminating zero"):
        module.string(5, 2)
    wrong = SpirvModule.read(module_of(array("I", (3 << 16 | NAME, 1, 0xFF))))
    with pytest.raises(FormatError, match="SPIR-V, word 7: the string is not UTF-8"):
        wrong.string(5, 2)
    with pytest.raises(FormatError, match="zero byte"):
        instruction(NAME, 1, "a\0b")


def test_missing_operands() -> None:
    module = SpirvModule.read(module_of(instruction(17, 6), instruction(253)))
    with pytest.raises(FormatError, match="SPIR-V, word 5: expected more than 2 words"):
        module.operand(5, 2)


def test_instructions_that_are_too_long() -> None:
    assert (
        len(instruction(NAME, 1, "a" * (4 * (MAX_INSTRUCTION_WORDS - 2) - 1)))
        == MAX_INSTRUCTION_WORDS
    )
    with pytest.raises(
        FormatError, match="expected at most 65535 words in a SPIR-V instruction, got 65536"
    ):
        instruction(NAME, 1, "a" * 4 * (MAX_INSTRUCTION_WORDS - 2))
