"""Refuse an image whose kernels use variables that a device cannot give them.

A device starts with memory that holds what the program file holds: nothing runs constructors there,
and nothing would keep what one kernel writes for the next. So variables have to be constants whose
values are known when the program is built. Local memory is a group's own and may be written.
"""

from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.device_metadata import GLOBAL_SIZE
from dovetail.errors import CompileError
from dovetail.ir import demangle

_GLOBAL_MEMORY = (1, 4)
"""The address spaces of variables that live as long as the program: global and generic."""


def refuse_variables(image: DeviceImage) -> None:
    """Raise `CompileError` if the image holds a variable that is not constant, or lacks one."""
    device_globals = image.module.global_variable_attributes(GLOBAL_SIZE)
    for variable in image.module.global_variables():
        # The record of failed assertions starts empty, and who reads it clears it.
        if variable.name in device_globals or variable.name == VARIABLE:
            continue
        if variable.address_space not in _GLOBAL_MEMORY or variable.name.startswith("llvm."):
            continue
        if variable.is_declaration:
            problem, hint = "is not defined in any source", "add the source that defines it"
        elif not variable.is_constant:
            problem = "is not a constant known at build time"
            hint = "make it constexpr, or pass it to the kernel as an argument"
        else:
            continue
        kernels = ", ".join(f"'{kernel.name}'" for kernel in image.info.kernels)
        (name,) = demangle([variable.name])
        place = image.info.kernels[0].file if image.info.kernels else image.module.name
        raise CompileError(
            f"{place}: error: variable '{name}', used by device code, {problem}",
            hint=f"{hint}; the kernels are {kernels}" if kernels else hint,
        )
