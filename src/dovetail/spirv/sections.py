"""The logical layout of a module: the order of its sections."""

from enum import IntEnum

from dovetail.spirv import opcodes
from dovetail.spirv.module import SpirvModule


class ModuleSection(IntEnum):
    """The sections of a module, in the order that the specification requires."""

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
    """Types, constants, global variables, and instructions allowed among them."""
    FUNCTIONS = 11


_SECTIONS = {
    opcodes.CAPABILITY: ModuleSection.CAPABILITIES,
    opcodes.CONDITIONAL_CAPABILITY: ModuleSection.CAPABILITIES,
    opcodes.EXTENSION: ModuleSection.EXTENSIONS,
    opcodes.CONDITIONAL_EXTENSION: ModuleSection.EXTENSIONS,
    opcodes.EXT_INST_IMPORT: ModuleSection.IMPORTS,
    opcodes.MEMORY_MODEL: ModuleSection.MEMORY_MODEL,
    opcodes.ENTRY_POINT: ModuleSection.ENTRY_POINTS,
    opcodes.CONDITIONAL_ENTRY_POINT: ModuleSection.ENTRY_POINTS,
    opcodes.EXECUTION_MODE: ModuleSection.EXECUTION_MODES,
    opcodes.EXECUTION_MODE_ID: ModuleSection.EXECUTION_MODES,
    opcodes.STRING: ModuleSection.SOURCES,
    opcodes.SOURCE: ModuleSection.SOURCES,
    opcodes.SOURCE_CONTINUED: ModuleSection.SOURCES,
    opcodes.SOURCE_EXTENSION: ModuleSection.SOURCES,
    opcodes.NAME: ModuleSection.NAMES,
    opcodes.MEMBER_NAME: ModuleSection.NAMES,
    opcodes.MODULE_PROCESSED: ModuleSection.PROCESSED,
    opcodes.DECORATE: ModuleSection.ANNOTATIONS,
    opcodes.MEMBER_DECORATE: ModuleSection.ANNOTATIONS,
    opcodes.DECORATION_GROUP: ModuleSection.ANNOTATIONS,
    opcodes.GROUP_DECORATE: ModuleSection.ANNOTATIONS,
    opcodes.GROUP_MEMBER_DECORATE: ModuleSection.ANNOTATIONS,
    opcodes.DECORATE_ID: ModuleSection.ANNOTATIONS,
    opcodes.DECORATE_STRING: ModuleSection.ANNOTATIONS,
    opcodes.MEMBER_DECORATE_STRING: ModuleSection.ANNOTATIONS,
    opcodes.FUNCTION: ModuleSection.FUNCTIONS,
}


def section_of(opcode: int) -> ModuleSection:
    """Return the section of an instruction outside functions."""
    return _SECTIONS.get(opcode, ModuleSection.DECLARATIONS)


def section_ends(module: SpirvModule) -> dict[ModuleSection, int]:
    """Return the word offset after the last instruction of each section, which may be empty.

    If instructions are out of order, a section ends at the first instruction of a later section.
    """
    ends: dict[ModuleSection, int] = {}
    pending = list(ModuleSection)
    for opcode, offset, _ in module.instructions():
        section = section_of(opcode)
        while pending and pending[0] < section:
            ends[pending.pop(0)] = offset
        if section is ModuleSection.FUNCTIONS:
            break
    return ends | dict.fromkeys(pending, len(module.words))
