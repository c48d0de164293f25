"""Reject images that use variables which are not constants.

Devices do not run constructors, and do not preserve values between kernels. So variables must be
constants whose values are known at build time, except in local memory, which belongs to a group.

The front-end rejects code that names such variables. This check finds those that a constant refers
to, and those in code of other tools.
"""

from dovetail.artifacts import DeviceImage
from dovetail.assertion_record import VARIABLE
from dovetail.device_metadata import GLOBAL_SIZE
from dovetail.errors import CompileError
from dovetail.facts import Facts, Place
from dovetail.ir import demangle

_GLOBAL_MEMORY = (1, 4)
"""The address spaces of variables with static storage duration: global and generic."""


def refuse_variables(image: DeviceImage, facts: Facts) -> None:
    """Raise `CompileError` if an image has a variable that is not constant or not defined.

    `facts` are those of the program.
    """
    device_globals = image.module.global_variable_attributes(GLOBAL_SIZE)
    for variable in image.module.global_variables():
        # The kernel that reads the failure record also clears it.
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
    """Return the known place where a variable is used, and a description of the variable."""
    for function in facts.functions:
        for reference in function.references:
            if reference.symbol == symbol:
                name = f"'{reference.variable}', to which '{reference.constant}' refers here"
                return reference.place, name
    (demangled,) = demangle([symbol])
    kernels = image.info.kernels
    place = f"{kernels[0].file}:{kernels[0].line}" if kernels else image.module.name
    return place, f"'{demangled}', used by device code"
