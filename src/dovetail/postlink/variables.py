"""Refuse an image whose kernels use variables that a device cannot give them.

A device starts with memory that holds what the program file holds: nothing runs constructors there,
and nothing would keep what one kernel writes for the next. So variables have to be constants whose
values are known when the program is built. Local memory is a group's own and may be written.

The front-end refuses code that names such a variable. What comes here is needed by what is left of
other code: a constant refers to it, or another tool made the code.
"""

from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.device_metadata import GLOBAL_SIZE
from dovetail.errors import CompileError
from dovetail.facts import Facts, Place
from dovetail.ir import demangle

_GLOBAL_MEMORY = (1, 4)
"""The address spaces of variables that live as long as the program: global and generic."""


def refuse_variables(image: DeviceImage, facts: Facts) -> None:
    """Raise `CompileError` if the image holds a variable that is not constant, or lacks one.

    `facts` are of the program.
    """
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
        place, name = _place_and_name(image, facts, variable.name)
        raise CompileError(
            f"{place}: error: variable {name}, {problem}",
            hint=f"{hint}; the kernels are {kernels}" if kernels else hint,
        )


def _place_and_name(image: DeviceImage, facts: Facts, symbol: str) -> tuple[Place | str, str]:
    """Return where a variable is needed, as exactly as it is known, and the variable in words."""
    for function in facts.functions:
        for reference in function.references:
            if reference.symbol == symbol:
                name = f"'{reference.variable}', to which '{reference.constant}' refers here"
                return reference.place, name
    (demangled,) = demangle([symbol])
    kernels = image.info.kernels
    place = f"{kernels[0].file}:{kernels[0].line}" if kernels else image.module.name
    return place, f"'{demangled}', used by device code"
