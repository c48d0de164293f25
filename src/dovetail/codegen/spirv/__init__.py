"""SPIR-V, by LLVM's own back-end."""

from dovetail.on_demand import on_demand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.codegen.spirv.emit import emit_spirv
    from dovetail.codegen.spirv.generator import SpirvGenerator
    from dovetail.codegen.spirv.validate import validate_spirv

__all__ = ["SpirvGenerator", "emit_spirv", "validate_spirv"]

__getattr__ = on_demand(
    __name__,
    {
        "emit": ("emit_spirv",),
        "generator": ("SpirvGenerator",),
        "validate": ("validate_spirv",),
    },
)
