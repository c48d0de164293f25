"""SPIR-V modules: reading and editing, in pure Python.

module = SpirvModule.read(data)
index = index_ids(module)
edit = Edit(module)
edit.add(DECORATE, variable, ALIGNMENT, 16)
data = edit.apply().to_bytes()
"""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.spirv.edit import Edit as Edit
    from dovetail.spirv.index import Index as Index, index_ids as index_ids
    from dovetail.spirv.module import SpirvModule as SpirvModule
    from dovetail.spirv.sections import (
        ModuleSection as ModuleSection,
        section_ends as section_ends,
        section_of as section_of,
    )
    from dovetail.spirv.words import instruction as instruction
