"""The logical layout of a module: which instructions come before which."""

from enum import IntEnum

from dovetail.spirv import opcodes
from dovetail.spirv.module import Module


class Section(IntEnum):
    """The parts of a module, in the order that the specification demands."""

    CAPABILITIES = 0
    EXTENSIONS = 1
    IMPORTS = 2
    MEMORY_MODEL = 3
    ENTRY_POINTS = 4
    EXECUTION_MODES = 5
    SOURCES = 6
    NAMES = 7
    PROCESSED = 8
    ANNOTATIONS = 9
    DECLARATIONS = 10
    """Types, constants, global variables, and what may stand among them."""
    FUNCTIONS = 11


_SECTIONS = {
    opcodes.CAPABILITY: Section.CAPABILITIES,
    opcodes.CONDITIONAL_CAPABILITY: Section.CAPABILITIES,
    opcodes.EXTENSION: Section.EXTENSIONS,
    opcodes.CONDITIONAL_EXTENSION: Section.EXTENSIONS,
    opcodes.EXT_INST_IMPORT: Section.IMPORTS,
    opcodes.MEMORY_MODEL: Section.MEMORY_MODEL,
    opcodes.ENTRY_POINT: Section.ENTRY_POINTS,
    opcodes.CONDITIONAL_ENTRY_POINT: Section.ENTRY_POINTS,
    opcodes.EXECUTION_MODE: Section.EXECUTION_MODES,
    opcodes.EXECUTION_MODE_ID: Section.EXECUTION_MODES,
    opcodes.STRING: Section.SOURCES,
    opcodes.SOURCE: Section.SOURCES,
    opcodes.SOURCE_CONTINUED: Section.SOURCES,
    opcodes.SOURCE_EXTENSION: Section.SOURCES,
    opcodes.NAME: Section.NAMES,
    opcodes.MEMBER_NAME: Section.NAMES,
    opcodes.MODULE_PROCESSED: Section.PROCESSED,
    opcodes.DECORATE: Section.ANNOTATIONS,
    opcodes.MEMBER_DECORATE: Section.ANNOTATIONS,
    opcodes.DECORATION_GROUP: Section.ANNOTATIONS,
    opcodes.GROUP_DECORATE: Section.ANNOTATIONS,
    opcodes.GROUP_MEMBER_DECORATE: Section.ANNOTATIONS,
    opcodes.DECORATE_ID: Section.ANNOTATIONS,
    opcodes.DECORATE_STRING: Section.ANNOTATIONS,
    opcodes.MEMBER_DECORATE_STRING: Section.ANNOTATIONS,
    opcodes.FUNCTION: Section.FUNCTIONS,
}


def section_of(opcode: int) -> Section:
    """Where an instruction stands outside of functions."""
    return _SECTIONS.get(opcode, Section.DECLARATIONS)


def section_ends(module: Module) -> dict[Section, int]:
    """The word behind the last instruction of each section, which may be empty.

    A module whose instructions are not in order is taken as it is: a section ends where the first
    instruction of a later one stands.
    """
    ends: dict[Section, int] = {}
    waiting = list(Section)
    for opcode, at, _ in module.instructions():
        section = section_of(opcode)
        while waiting and waiting[0] < section:
            ends[waiting.pop(0)] = at
        if section is Section.FUNCTIONS:
            break
    return ends | dict.fromkeys(waiting, len(module.words))
