"""SPIR-V, emitted by LLVM's back-end."""

from dovetail.on_demand import lazy_exports

__getattr__, __dir__ = lazy_exports(__name__)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.codegen.spirv.emit import emit_spirv as emit_spirv
    from dovetail.codegen.spirv.generator import SpirvGenerator as SpirvGenerator
    from dovetail.codegen.spirv.image_spirv import valid_spirv as valid_spirv
    from dovetail.codegen.spirv.validate import validate_spirv as validate_spirv
