"""Functions that take pointers as pointers to bytes, whatever they and their callers do with them.

LLVM's pointers have no pointee types, and SPIR-V's have. The back-end deduces them, also from a
function for its callers and from callers for what they call. So what every device needs could get
a type, such as that of pointers to `double`, from what only some devices can run. It takes `byref`
as it is and looks no further.
"""

from dovetail.ir import Module


def take_byte_pointers(module: Module) -> None:
    """Have all functions but kernels take pointers to bytes."""
    module.set_byte_references(
        [
            each.name
            for each in module.functions()
            if not each.is_declaration and each.calling_convention != "spir_kernel"
        ]
    )
