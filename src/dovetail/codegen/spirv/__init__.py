"""SPIR-V, by LLVM's own back-end."""

from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.codegen.spirv.generator import SpirvGenerator
from dovetail.codegen.spirv.validate import validate_spirv

__all__ = ["SpirvGenerator", "emit_spirv", "validate_spirv"]
