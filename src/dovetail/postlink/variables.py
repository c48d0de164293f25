"""Refuse an image whose kernels use variables that a device cannot give them.

A device starts with memory that holds what the program file holds: nothing runs constructors there,
and nothing would keep what one kernel writes for the next. So variables have to be constants whose
values are known when the program is built. Local memory is a group's own and may be written.
"""

from dovetail.artifacts import DeviceImage
from dovetail.errors import CompileError
from dovetail.ir import demangle

_GLOBAL_MEMORY = (1, 4)
"""The address spaces of variables that live as long as the program: global and generic."""


def refuse_variables(image: DeviceImage) -> None:
    """Raise `CompileError` if the image holds a variable that is not constant, or lacks one."""
    for variable in image.module.global_variables():
        if variable.address_space not in _GLOBAL_MEMORY or variable.name.startswith("llvm."):
            continue
        if variable.is_declaration:
            problem, hint = "is not defined in any source", "add the source that defines it"
        elif not variable.is_constant:
            problem = "is not a constant known at build time"
            hint = "make it constexpr, or pass it to the kernel as an argument"
        else:
            continue
        kernels = ", ".join(f"'{kernel.name}'" for kernel in image.kernels)
        (name,) = demangle([variable.name])
        first = image.kernels[0]
        raise CompileError(
            f"{first.file}: error: variable '{name}', used by a kernel, {problem}",
            hint=f"{hint}; the kernels are {kernels}",
        )
