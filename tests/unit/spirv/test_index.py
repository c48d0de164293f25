"""The ids that instructions define and use."""

import re
from array import array

import pytest
from fuzz import modules as m
from fuzz.modules import kernel, module_of

from dovetail.errors import FormatError
from dovetail.spirv import Index, SpirvModule, index_ids, instruction
from dovetail.spirv.words import MAX_INSTRUCTION_WORDS


def indexed(*instructions: "array[int]", bound: int = 100) -> Index:
    return index_ids(SpirvModule.read(module_of(*instructions, bound=bound)))


def refused(message: str, *instructions: "array[int]", bound: int = 100) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        indexed(*instructions, bound=bound)


def uses_of(opcode: int) -> list[list[int]]:
    """Return the ids that instructions of an opcode in the sample use."""
    module = SpirvModule.read(kernel())
    index = index_ids(module)
    return [
        list(index.uses(number))
        for number, (each, _, _) in enumerate(module.instructions())
        if each == opcode
    ]


def test_results() -> None:
    module = SpirvModule.read(kernel())
    index = index_ids(module)
    assert sorted(index.definitions) == list(range(1, m.BOUND))
    for identifier, number in index.definitions.items():
        assert index.results[number] == identifier
    assert sum(map(bool, index.results)) == m.BOUND - 1


USES: list[tuple[int, list[list[int]]]] = [
    (15, [[m.KERNEL, m.INPUT]]),
    (16, [[m.KERNEL]]),
    (3, [[]]),
    (5, [[m.KERNEL]]),
    (71, [[m.KERNEL], [m.ENABLED], [m.PARAMETER], [m.PARAMETER], [m.GROUP]]),
    (72, [[m.STRUCT]]),
    (75, [[m.GROUP, m.STRUCT, m.STRUCT]]),
    (43, [[m.INT], [m.LONG]]),
    (52, [[m.LONG, m.WIDE, m.WIDE]]),
    (251, [[m.SUM, m.DONE, m.SMALL, m.LARGE]]),
    (245, [[m.INT, m.ONE, m.SMALL, m.ONE, m.ENTRY]]),
    (61, [[m.FLOAT, m.ADDRESS]]),
    (62, [[m.ADDRESS, m.ROOT]]),
    (12, [[m.FLOAT, m.OPENCL, m.LOADED]]),
    (253, [[]]),
]


@pytest.mark.parametrize(("opcode", "used"), USES)
def test_uses(opcode: int, used: list[list[int]]) -> None:
    assert uses_of(opcode) == used


def test_masks_with_ids() -> None:
    """An aligned memory access that is made available to a scope."""
    index = indexed(
        instruction(20, 1),
        instruction(1, 1, 2),
        instruction(62, 2, 2, 2 | 8, 4, 1),
        instruction(62, 2, 2, 2, 4),
        instruction(62, 2, 2),
    )
    assert [list(index.uses(number)) for number in (2, 3, 4)] == [[2, 2, 1], [2, 2], [2, 2]]


def test_unknown_decorations() -> None:
    """Their operands are literals, except in the instruction for ids."""
    types = instruction(20, 1), instruction(21, 2, 32, 0)
    index = indexed(instruction(71, 1, 7744, 2, 99), instruction(332, 1, 7744, 2), *types)
    assert [list(index.uses(number)) for number in (0, 1)] == [[1], [1, 2]]


def test_switches_on_words() -> None:
    selector = instruction(21, 1, 32, 0), instruction(43, 1, 2, 7), instruction(248, 3)
    index = indexed(*selector, instruction(251, 2, 3, 5, 3, 6, 3), instruction(251, 2, 3))
    assert [list(index.uses(number)) for number in (3, 4)] == [[2, 3, 3, 3], [2, 3]]


def test_invalid_ids() -> None:
    refused("SPIR-V, word 5: %7 is not defined", instruction(5, 7, "name"))
    refused("SPIR-V, word 8: %1 is defined twice", *[instruction(19, 1)] * 2)
    refused(
        "SPIR-V, word 7: expected an id from 1 to 8, got %9",
        instruction(19, 1),
        instruction(20, 9),
        bound=9,
    )
    refused("SPIR-V, word 5: expected an id from 1 to 99, got %0", instruction(19, 0))
    refused(
        "SPIR-V, word 5: expected an id from 1 to 8, got %4294967295",
        instruction(19, 0xFFFF_FFFF),
        bound=9,
    )


def test_huge_bounds_do_not_cost_memory() -> None:
    assert not indexed(bound=0xFFFF_FFFF).used


def test_unknown_instructions() -> None:
    module = SpirvModule.read(module_of(instruction(253), instruction(60000, 1, 2)))
    assert module.to_bytes() == module_of(instruction(253), instruction(60000, 1, 2))
    with pytest.raises(FormatError, match="SPIR-V, word 6: unknown opcode 60000"):
        index_ids(module)


def test_invalid_operands() -> None:
    refused("SPIR-V, word 5: expected more than 2 words in OpTypeInt", instruction(21, 1))
    refused("SPIR-V, word 7: expected 2 words in OpTypeVoid, got 3", instruction(19, 1, 2))
    constant = instruction(21, 1, 32, 0), instruction(1, 1, 2)
    refused(
        "SPIR-V, word 15: unknown value 0x40000000",
        *constant,
        instruction(62, 2, 2, 1 << 30),
    )
    refused(
        "SPIR-V, word 15: OpReturn is not allowed in a constant expression",
        *constant,
        instruction(52, 1, 3, 253),
    )
    refused(
        "SPIR-V, word 15: OpSpecConstantOp is not allowed in a constant",
        *constant,
        instruction(52, 1, 3, 52),
    )
    endless = array("I", (4 << 16 | 15, 6, 1, 0x6161_6161))
    refused("SPIR-V, word 8: the string has no terminating zero", endless)


def test_invalid_switches() -> None:
    refused("%8 is not defined before this", instruction(251, 8, 8, 1, 8))
    label = instruction(248, 3)
    refused("the selector of a switch is not an integer", label, instruction(251, 3, 3, 1, 3))
    real = instruction(22, 1, 32), instruction(43, 1, 2, 0), label
    refused("the selector of a switch is not an integer", *real, instruction(251, 2, 3, 1, 3))
    wide = instruction(21, 1, 64, 0), instruction(43, 1, 2, 0, 0), label
    refused("a pair of operands of OpSwitch is incomplete", *wide, instruction(251, 2, 3, 1, 3))


def test_the_longest_instruction() -> None:
    ids = [2] * (MAX_INSTRUCTION_WORDS - 3)
    index = indexed(instruction(19, 1), instruction(1, 1, 2), instruction(44, 1, 3, *ids))
    assert list(index.uses(2)) == [1, *ids]


@pytest.mark.parametrize("opcode", [33, 57, 65, 74])
def test_required_ids(opcode: int) -> None:
    """The last of these ids is optional, the first is not."""
    with pytest.raises(FormatError, match="expected more than"):
        index_ids(SpirvModule.read(module_of(instruction(opcode))))
