"""Emit SPIR-V for one device image."""

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.codegen.generator import CodeGenerationError
from dovetail.codegen.spirv.byte_pointers import take_byte_pointers
from dovetail.codegen.spirv.contraction import contract_with_mad
from dovetail.codegen.spirv.decorating import Decorations
from dovetail.errors import IRError
from dovetail.ir import Module as IRModule
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

_ADVICE = (
    "LLVM's back-end for SPIR-V cannot compile something that this code uses, such as assembly, a"
    " type or a function of clang's own; write it in another way. -save-temps keeps the code"
)


def emit_spirv(image: DeviceImage) -> bytes:
    """The image as SPIR-V, conditional if its code is, and not yet validated."""
    contract_with_mad(image.module)
    decorations = Decorations.taken_from(image.module)
    if image.conditional:
        take_byte_pointers(image.module)
    code = _emitted(image.module)
    code = decorations.written_to(code)
    return _with_conditions(code, image.conditional, image.module) if image.conditional else code


def _emitted(module: IRModule) -> bytes:
    try:
        return module.emit(triple=TRIPLE, extensions=list(EXTENSIONS))
    except IRError as error:
        # The back-end has no places in the source; at least the kernel is named.
        raise CodeGenerationError(error.message, hint=_ADVICE) from None


def _with_conditions(code: bytes, conditions: ConditionalCode, module: IRModule) -> bytes:
    # The back-end writes every function that has a body. Of others it makes instructions, or leaves
    # them out if nothing calls them; those that are left are needed where their callers are.
    written = {each.name for each in module.functions() if not each.is_declaration}
    functions, calls = (
        {symbol: each for symbol, each in given.items() if symbol in written}
        for given in (conditions.functions, conditions.calls)
    )
    return conditional(Module.read(code), conditions.expressions, functions, calls).to_bytes()
