"""Format strings of printf, which SPIR-V requires to be in constant memory.

In: calls of `__spirv_ocl_printf`, as the pass `printf` names them, whose formats are generic
pointers. Out: calls of its overloads for constant memory, with copies of the formats there.
"""

from dovetail.codegen.generator import CodeGenerationError
from dovetail.ir import Module

_GENERIC = "_Z18__spirv_ocl_printfPKc"
_CONSTANT = "_Z18__spirv_ocl_printfPU3AS2Kc"
_CONSTANT_ADDRESS_SPACE = 2


def put_formats_in_constant_memory(module: Module) -> None:
    """Copy the format strings; raise `CodeGenerationError` if one is not a constant."""
    names = {
        function.name: _CONSTANT + function.name.removeprefix(_GENERIC)
        for function in module.functions()
        if function.name.startswith(_GENERIC)
    }
    if names and module.move_first_arguments(names, _CONSTANT_ADDRESS_SPACE):
        raise CodeGenerationError(
            "the format of a call of printf is not a constant",
            hint="pass a string literal or a constant array of characters as the format",
        )
