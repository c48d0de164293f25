"""Emit SPIR-V for one device image.

The IR is rewritten into forms that LLVM's back-end is known to compile correctly (`forms.py`), and
the output is checked. If that fails, simpler forms are tried, which are slower on devices.
"""

from collections.abc import Callable

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.codegen.generator import CodeGenerationError, InvalidCode
from dovetail.codegen.spirv.forms import (
    copy_by_fields,
    forget_memory_effects,
    hide_loop_conditions,
    hide_values,
    mark_lifetimes,
    mask_widened_parts,
    pass_by_reference,
    pin_pointer_types,
    pin_variable_types,
    remove_dead_code,
    select_offsets,
    use_byte_pointers,
    use_common_vectors,
    use_no_vectors,
    use_plain_constants,
    use_supported_integers,
)
from dovetail.codegen.spirv.id_terms import collect_id_terms
from dovetail.codegen.spirv.intrinsics import contract_with_mad, replace_intrinsics
from dovetail.codegen.spirv.module_decorations import ModuleDecorations
from dovetail.codegen.spirv.print_formats import (
    RELAXED_FORMATS,
    put_formats_in_constant_memory,
    remove_relaxed_formats,
)
from dovetail.codegen.spirv.shapes import shape_difference
from dovetail.errors import IRError
from dovetail.ir import Module as IRModule
from dovetail.spirv import SpirvModule

# Version 1.4 compares pointers with an instruction that Debian's ocloc does not support.
TRIPLE = "spirv64v1.3-unknown-unknown"

TARGET = "spir64-unknown-unknown"
"""The name of SPIR-V for 64-bit devices in DPC++'s formats."""

# Extensions that the back-end may use; it declares only those that the code needs.
EXTENSIONS = (
    "SPV_KHR_linkonce_odr",
    "SPV_EXT_shader_atomic_float_add",
    "SPV_EXT_shader_atomic_float_min_max",
    "SPV_EXT_shader_atomic_float16_add",
    "SPV_INTEL_kernel_attributes",
    RELAXED_FORMATS,
)

SUFFIX = ".spv"
"""The file name suffix of SPIR-V modules."""

_ADVICE = (
    "LLVM's back-end for SPIR-V does not support a construct of this code, such as inline assembly,"
    " a type or a clang builtin; rewrite the code without it. -save-temps keeps the IR"
)


Check = Callable[[bytes], None]
"""Raises `InvalidCode`."""


def emit_spirv(image: DeviceImage, check: Check = lambda code: None) -> bytes:
    """Return the image as SPIR-V that passes `check`, conditional if the image's code is."""
    module = image.module
    contract_with_mad(module)
    put_formats_in_constant_memory(module)
    decorations = ModuleDecorations.extract_from(module)
    failures: list[CodeGenerationError] = []
    for lower in (_lower, _lower_further):
        try:
            lower(image)
            code = _with_decorations(_emitted(module), decorations)
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
    """Rewrite IR that the back-end or drivers miscompile."""
    module = image.module
    collect_id_terms(module)
    use_common_vectors(module)
    _use_common_forms(image)


def _lower_further(image: DeviceImage) -> None:
    """Rewrite more IR after a failure: without vectors and deduced pointee types."""
    use_plain_constants(image.module)
    use_no_vectors(image.module)
    _use_common_forms(image)
    pin_pointer_types(image.module)


def _use_common_forms(image: DeviceImage) -> None:
    """Rewrite IR into the forms that both attempts need."""
    module = image.module
    use_supported_integers(module)
    # After integers have common widths: intrinsics are defined only for these.
    replace_intrinsics(module)
    select_offsets(module)
    pass_by_reference(module)
    copy_by_fields(module)
    # After copies: whether classes have to be copied depends on memory effects.
    forget_memory_effects(module)
    if image.conditional:
        use_byte_pointers(module)
    hide_values(module)
    hide_loop_conditions(module)
    # After hiding, which widens values.
    mask_widened_parts(module)
    remove_dead_code(module)
    mark_lifetimes(module)
    pin_variable_types(module)


def _emitted(module: IRModule) -> bytes:
    """Return the back-end's SPIR-V; raise `InvalidCode` if it does not match the IR."""
    # At optimization level 0: at others, the back-end moves divisions above their guards.
    code = module.emit(triple=TRIPLE, opt_level=0, extensions=list(EXTENSIONS))
    difference = shape_difference(module.function_shapes(), code)
    if difference:
        raise InvalidCode(
            f"LLVM's back-end for SPIR-V miscompiled {difference}",
            code,
            SUFFIX,
            hint=_ADVICE,
        )
    return remove_relaxed_formats(code)


def _with_decorations(code: bytes, decorations: ModuleDecorations) -> bytes:
    if not decorations:
        return code
    # Imported here because most kernels have no decorations.
    from dovetail.codegen.spirv.decorating import decorate

    return decorate(code, decorations)


def _with_conditions(code: bytes, conditions: ConditionalCode, module: IRModule) -> bytes:
    """Return the code with conditions on its functions and calls."""
    # Imported here because most code has no conditions.
    from dovetail.spirv.conditional import conditional

    # The back-end emits every function with a body. Calls of other functions become instructions;
    # declarations that remain have the conditions of their callers.
    emitted = {each.name for each in module.functions() if not each.is_declaration}
    functions, calls = (
        {symbol: each for symbol, each in given.items() if symbol in emitted}
        for given in (conditions.functions, conditions.calls)
    )
    return conditional(SpirvModule.read(code), conditions.expressions, functions, calls).to_bytes()
