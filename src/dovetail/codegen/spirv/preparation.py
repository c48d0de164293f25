"""Changes to a module before LLVM's SPIR-V back-end writes it.

Products and sums: C++ lets a compiler round `a * b + c` once instead of twice; LLVM says so with an
intrinsic that leaves the choice to the device. The back-end would write OpenCL's `fma`, which must
round once; a device whose processor has no such instruction has to compute that in software.
OpenCL's `mad` leaves the same choice as the intrinsic, so it is called in its place.

Pointers: LLVM's have no pointee types, and SPIR-V's have. The back-end deduces them, also from a
function for its callers and from callers for what they call. So what every device needs could get
a type, such as that of pointers to `double`, from what only some devices can run. It takes `byref`
as it is and looks no further.
"""

import re

from dovetail.ir import Module

_INTRINSIC = re.compile(r"llvm\.fmuladd\.(?:v(2|3|4|8|16))?(f16|f32|f64)")

_MANGLED = {"f16": "DF16_", "f32": "f", "f64": "d"}
"""How the Itanium C++ ABI spells them."""


def contract_with_mad(module: Module) -> None:
    """Have `mad` do what LLVM may contract, for all types that OpenCL has it for."""
    names = (function.name for function in module.functions())
    found = filter(None, map(_INTRINSIC.fullmatch, names))
    module.rename({match[0]: mad_name(match[2], match[1]) for match in found})


def mad_name(element: str, width: str | None) -> str:
    """The name by which the back-end knows `mad`.

    What follows the dot is no part of the type, as in the names of LLVM's own clones; it keeps the
    name apart from that of a `mad` which the source itself calls.
    """
    one = _MANGLED[element]
    parameters = f"Dv{width}_{one}S_S_" if width else 3 * one
    return f"_Z15__spirv_ocl_mad{parameters}.contracted"


def take_byte_pointers(module: Module) -> None:
    """Have all functions but kernels take pointers to bytes."""
    module.set_byte_references(
        [
            each.name
            for each in module.functions()
            if not each.is_declaration and each.calling_convention != "spir_kernel"
        ]
    )
