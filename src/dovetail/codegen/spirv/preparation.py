"""Changes to a module before LLVM's SPIR-V back-end emits it.

Contraction: C++ allows rounding `a * b + c` once instead of twice. LLVM's intrinsic `fmuladd`
leaves the choice to the device. The back-end would emit OpenCL's `fma`, which must round once, and
which devices without such an instruction compute in software. OpenCL's `mad` allows either, like
the intrinsic, and replaces it.

Pointers: LLVM's are opaque, SPIR-V's have pointee types. The back-end deduces these across calls.
So code for all devices could get a type from code for some devices, such as a pointer to `double`.
Parameters with `byref` have the type of that attribute, without deduction.
"""

import re

from dovetail.ir import Module

_INTRINSIC = re.compile(r"llvm\.fmuladd\.(?:v(2|3|4|8|16))?(f16|f32|f64)")

_MANGLED = {"f16": "DF16_", "f32": "f", "f64": "d"}
"""The manglings of types in the Itanium C++ ABI."""


def contract_with_mad(module: Module) -> None:
    """Replace `llvm.fmuladd` by `mad`, for all types that OpenCL supports."""
    names = (function.name for function in module.functions())
    found = filter(None, map(_INTRINSIC.fullmatch, names))
    module.rename({match[0]: mad_name(match[2], match[1]) for match in found})


def mad_name(element: str, width: str | None) -> str:
    """Return the name that the back-end maps to `mad`.

    The suffix after the dot is ignored, as in names of LLVM's clones. It distinguishes this
    function from a `mad` that the source calls.
    """
    one = _MANGLED[element]
    parameters = f"Dv{width}_{one}S_S_" if width else 3 * one
    return f"_Z15__spirv_ocl_mad{parameters}.contracted"


def use_byte_pointers(module: Module) -> None:
    """Make all pointer parameters of functions, except kernels, pointers to bytes."""
    module.set_byte_references(
        [
            each.name
            for each in module.functions()
            if not each.is_declaration and each.calling_convention != "spir_kernel"
        ]
    )
