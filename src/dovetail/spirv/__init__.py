"""SPIR-V modules: reading and editing, in pure Python.

module = Module.read(data)
index = index_ids(module)
edit = Edit(module)
edit.add(DECORATE, variable, ALIGNMENT, 16)
data = edit.apply().to_bytes()
"""

from dovetail.spirv.edit import Edit
from dovetail.spirv.index import Index, index_ids
from dovetail.spirv.module import Module
from dovetail.spirv.sections import ModuleSection, section_ends, section_of
from dovetail.spirv.words import instruction

__all__ = [
    "Edit",
    "Index",
    "Module",
    "ModuleSection",
    "index_ids",
    "instruction",
    "section_ends",
    "section_of",
]
