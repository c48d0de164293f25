"""Emit SPIR-V for one device image.

LLVM's back-end is given forms of IR that it is known to compile correctly, and what it makes of
them is checked. If it still fails, it gets simpler ones, for which drivers have more to do.
"""

from collections.abc import Callable

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.codegen.generator import CodeGenerationError, InvalidCode
from dovetail.codegen.spirv.decorating import ModuleDecorations
from dovetail.codegen.spirv.forms import (
    copy_by_fields,
    forget_memory_effects,
    hide_values,
    mark_lifetimes,
    mask_widened_parts,
    pass_by_reference,
    pin_pointer_types,
    pin_variable_types,
    remove_dead_code,
    use_common_vectors,
    use_no_vectors,
    use_plain_constants,
    use_supported_integers,
)
from dovetail.codegen.spirv.id_terms import collect_id_terms
from dovetail.codegen.spirv.intrinsics import replace_intrinsics
from dovetail.codegen.spirv.preparation import contract_with_mad, take_byte_pointers
from dovetail.codegen.spirv.shapes import difference_from
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

SUFFIX = ".spv"
"""Of the names of files with such code."""

_ADVICE = (
    "LLVM's back-end for SPIR-V cannot compile something that this code uses, such as assembly, a"
    " type or a function of clang's own; write it in another way. -save-temps keeps the code"
)


Check = Callable[[bytes], None]
"""Raises `InvalidCode`."""


def emit_spirv(image: DeviceImage, check: Check = lambda code: None) -> bytes:
    """The image as SPIR-V, conditional if its code is, that passes a check."""
    module = image.module
    contract_with_mad(module)
    decorations = ModuleDecorations.taken_from(module)
    failures: list[CodeGenerationError] = []
    for lower in (_lower, _lower_further):
        try:
            lower(image)
            code = decorations.written_to(_emitted(module))
            if image.conditional:
                code = _with_conditions(code, image.conditional, module)
            check(code)
        except CodeGenerationError as failure:
            failures.append(failure)
        except IRError as error:
            failures.append(CodeGenerationError(error.message, hint=_ADVICE))
        else:
            return code
    raise failures[0]


def _lower(image: DeviceImage) -> None:
    """Rewrite what the back-end or drivers compile wrongly."""
    module = image.module
    collect_id_terms(module)
    use_common_vectors(module)
    _use_common_forms(image)


def _lower_further(image: DeviceImage) -> None:
    """Rewrite more after a failure: no vectors, no pointers whose type is deduced."""
    use_plain_constants(image.module)
    use_no_vectors(image.module)
    _use_common_forms(image)
    pin_pointer_types(image.module)


def _use_common_forms(image: DeviceImage) -> None:
    module = image.module
    use_supported_integers(module)
    # After integers have usual widths, for which there are bodies.
    replace_intrinsics(module)
    pass_by_reference(module)
    copy_by_fields(module)
    # Only now: whether classes have to be copied depends on what functions do with memory.
    forget_memory_effects(module)
    if image.conditional:
        take_byte_pointers(module)
    hide_values(module)
    # What is hidden is widened, too.
    mask_widened_parts(module)
    remove_dead_code(module)
    mark_lifetimes(module)
    pin_variable_types(module)


def _emitted(module: IRModule) -> bytes:
    # Without optimisation: at other levels the back-end moves divisions above their guards.
    code = module.emit(triple=TRIPLE, opt_level=0, extensions=list(EXTENSIONS))
    difference = difference_from(module.function_shapes(), code)
    if difference:
        raise InvalidCode(
            f"LLVM's back-end for SPIR-V compiled it wrongly: {difference}",
            code,
            SUFFIX,
            hint=_ADVICE,
        )
    return code


def _with_conditions(code: bytes, conditions: ConditionalCode, module: IRModule) -> bytes:
    # The back-end writes every function that has a body. Of others it makes instructions, or leaves
    # them out if nothing calls them; those that are left are needed where their callers are.
    written = {each.name for each in module.functions() if not each.is_declaration}
    functions, calls = (
        {symbol: each for symbol, each in given.items() if symbol in written}
        for given in (conditions.functions, conditions.calls)
    )
    return conditional(Module.read(code), conditions.expressions, functions, calls).to_bytes()
