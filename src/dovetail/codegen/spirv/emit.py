"""Emit SPIR-V for one device image."""

from dovetail.artifacts import DeviceImage
from dovetail.codegen.spirv.contraction import contract_with_mad
from dovetail.codegen.spirv.decorating import Decorations

# From 1.4 on pointers are compared by an instruction that Debian's ocloc does not know.
TRIPLE = "spirv64v1.3-unknown-unknown"

TARGET = "spir64-unknown-unknown"
"""The name under which DPC++'s formats know SPIR-V for 64-bit devices."""

# Extensions that the back-end may use where the code needs them; it declares only what it uses.
EXTENSIONS = (
    "SPV_KHR_linkonce_odr",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_INTEL_kernel_attributes",
)


def emit_spirv(image: DeviceImage) -> bytes:
    """The image as SPIR-V, not yet validated."""
    contract_with_mad(image.module)
    decorations = Decorations.taken_from(image.module)
    code = image.module.emit(triple=TRIPLE, extensions=list(EXTENSIONS))
    return decorations.written_to(code)
