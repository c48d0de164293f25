"""Format strings of printf, which SPIR-V requires to be in constant memory.

In: calls of `__spirv_ocl_printf`, as the pass `printf` names them, whose formats are generic
pointers. Out: calls of its overloads for constant memory, with copies of the formats there.

LLVM's back-end looks up the types of formats in the wrong function, and takes some formats for ones
elsewhere, which it rejects without the extension for these. So it may use the extension, whose
declaration is removed from the code.
"""

import struct

from dovetail.codegen.generator import CodeGenerationError
from dovetail.ir import Module
from dovetail.spirv.opcodes import EXTENSION

_GENERIC = "_Z18__spirv_ocl_printfPKc"
_CONSTANT = "_Z18__spirv_ocl_printfPU3AS2Kc"
_CONSTANT_ADDRESS_SPACE = 2

RELAXED_FORMATS = "SPV_EXT_relaxed_printf_string_address_space"
"""The extension for formats that are not in constant memory."""

_TEXT = RELAXED_FORMATS.encode() + bytes(4 - len(RELAXED_FORMATS) % 4)
_DECLARATION = struct.pack("<I", (1 + len(_TEXT) // 4) << 16 | EXTENSION) + _TEXT


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


def remove_relaxed_formats(code: bytes) -> bytes:
    """Return SPIR-V without the declaration of the extension, which drivers may not know."""
    return code.replace(_DECLARATION, b"", 1)
