"""Edits of modules."""

import pytest
from fuzz.modules import BOUND, KERNEL, PARAMETER, kernel, module_of

from dovetail.errors import FormatError
from dovetail.spirv import (
    Edit,
    ModuleSection,
    SpirvModule,
    index_ids,
    instruction,
    section_ends,
    section_of,
)
from dovetail.spirv.opcodes import (
    CAPABILITY,
    DECORATE,
    EXECUTION_MODE,
    EXTENSION,
    FUNCTION,
    NAME,
)


def opcodes(module: SpirvModule) -> list[int]:
    return [opcode for opcode, _, _ in module.instructions()]


def test_no_change() -> None:
    module = SpirvModule.read(kernel())
    assert Edit(module).apply() is module


@pytest.mark.parametrize(
    ("opcode", "operands"),
    [
        (CAPABILITY, (5,)),
        (EXTENSION, ("SPV_INTEL_something",)),
        (EXECUTION_MODE, (KERNEL, 35, 16)),
        (NAME, (PARAMETER, "pointer")),
        (DECORATE, (PARAMETER, 5921, 3)),
    ],
)
def test_additions_follow_the_last_of_their_section(
    opcode: int, operands: tuple[int | str, ...]
) -> None:
    before = SpirvModule.read(kernel())
    edit = Edit(before)
    edit.add(opcode, *operands)
    after = edit.apply()
    assert before.to_bytes() == kernel()
    index_ids(after)
    added = instruction(opcode, *operands)
    place = next(
        at for _, at, _ in after.instructions() if after.words[at : after.end(at)] == added
    )
    number = list(after.starts).index(place)
    found, kept = opcodes(after), opcodes(before)
    assert found[:number] + found[number + 1 :] == kept
    assert section_of(found[number - 1]) == section_of(opcode) < section_of(found[number + 1])


def test_additions_are_in_order_also_in_empty_sections() -> None:
    edit = Edit(SpirvModule.read(module_of(instruction(14, 2, 2), instruction(19, 1))))
    edit.add(NAME, 1, "b")
    edit.add(DECORATE, 1, 0)
    edit.add(DECORATE, 1, 2)
    edit.add(NAME, 1, "a")
    edit.add(CAPABILITY, 6)
    edit.add(EXTENSION, "e")
    assert edit.apply().to_bytes() == module_of(
        instruction(CAPABILITY, 6),
        instruction(EXTENSION, "e"),
        instruction(14, 2, 2),
        instruction(NAME, 1, "b"),
        instruction(NAME, 1, "a"),
        instruction(DECORATE, 1, 0),
        instruction(DECORATE, 1, 2),
        instruction(19, 1),
    )


def test_additions_to_an_empty_module() -> None:
    edit = Edit(SpirvModule.read(module_of()))
    edit.add(19, 1)
    edit.add(CAPABILITY, 6)
    assert edit.apply().to_bytes() == module_of(instruction(CAPABILITY, 6), instruction(19, 1))


def test_removed() -> None:
    module = SpirvModule.read(kernel())
    edit = Edit(module)
    names = [at for opcode, at, _ in module.instructions() if opcode == NAME]
    for at in names:
        edit.remove(at)
    edit.add(NAME, KERNEL, "another")
    after = edit.apply()
    assert opcodes(after).count(NAME) == len(names) == 1
    assert instruction(NAME, KERNEL, "another").tobytes() in after.to_bytes()


def test_replacements_at_the_end_of_a_section() -> None:
    """Additions are at the place of the removed instruction, also if that was the last one."""
    module = SpirvModule.read(module_of(instruction(CAPABILITY, 4), instruction(14, 2, 2)))
    edit = Edit(module)
    edit.remove(5)
    edit.add(CAPABILITY, 6)
    assert edit.apply().to_bytes() == module_of(instruction(CAPABILITY, 6), instruction(14, 2, 2))


def test_new_ids() -> None:
    edit = Edit(SpirvModule.read(kernel()))
    assert [edit.new_id(), edit.new_id()] == [BOUND, BOUND + 1]
    assert edit.apply().bound == BOUND + 2
    full = Edit(SpirvModule.read(module_of(bound=0xFFFF_FFFF)))
    with pytest.raises(FormatError, match="no ids left"):
        full.new_id()


def test_sections() -> None:
    module = SpirvModule.read(kernel())
    ends = section_ends(module)
    assert list(ends) == list(ModuleSection)
    assert list(ends.values()) == sorted(ends.values())
    assert module.opcode(ends[ModuleSection.DECLARATIONS]) == FUNCTION
    assert ends[ModuleSection.FUNCTIONS] == len(module.words)


def test_byte_order_is_preserved() -> None:
    words = SpirvModule.read(kernel()).words[:]
    words.byteswap()
    edit = Edit(SpirvModule.read(words.tobytes()))
    edit.add(CAPABILITY, 5)
    assert edit.apply().to_bytes()[:4] == b"\x07\x23\x02\x03"
