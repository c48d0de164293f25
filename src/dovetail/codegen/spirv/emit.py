"""Emit SPIR-V for one device image."""

from collections.abc import Mapping

from dovetail.artifacts import DeviceImage
from dovetail.codegen.spirv.contraction import contract_with_mad
from dovetail.codegen.spirv.decorating import Decorations
from dovetail.spirv import Module
from dovetail.spirv.conditional import conditional

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
    """The image as SPIR-V, conditional if its code is, and not yet validated."""
    contract_with_mad(image.module)
    decorations = Decorations.taken_from(image.module)
    code = image.module.emit(triple=TRIPLE, extensions=list(EXTENSIONS))
    return _with_conditions(image, decorations.written_to(code))


def _with_conditions(image: DeviceImage, code: bytes) -> bytes:
    if image.conditional is None:
        return code
    # The back-end writes every function that has a body. Of others it makes instructions, or leaves
    # them out if nothing calls them; what is left is needed when its callers are.
    defined = {each.name for each in image.module.functions() if not each.is_declaration}

    def of_defined(conditions: Mapping[str, int]) -> dict[str, int]:
        return {name: each for name, each in conditions.items() if name in defined}

    code_of, calls = image.conditional.functions, image.conditional.calls
    module = Module.read(code)
    expressions = image.conditional.expressions
    return conditional(module, expressions, of_defined(code_of), of_defined(calls)).to_bytes()
