"""For SPIR-V, rename printf calls to the names that LLVM's back-end recognizes.

In: calls of C's `printf`, and of instances of the headers' template `__spirv_ocl_printf`, whose
arguments are 32- and 64-bit integers, floating-point numbers and generic pointers. Out: calls of
functions named as if `__spirv_ocl_printf` were overloaded, which become OpenCL's instruction.

For NVIDIA's GPUs, clang calls the driver's `vprintf`. AMD's GPUs cannot print: the headers warn,
and the front-end rejects C's `printf`.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Function, Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.targets.ir_family import IRFamily, family_name

_C_FUNCTION = "printf"
_NAME = "_Z18__spirv_ocl_printf"
_INSTANCE = f"{_NAME}I"
_VARIADIC = f"{_NAME}PKcz"
_MANGLED = {
    "i32": "i",
    "i64": "l",
    "float": "f",
    "double": "d",
    "ptr addrspace(4)": "PKv",
}
_MANGLED_FORMAT = {"ptr addrspace(4)": "PKc", "ptr addrspace(2)": "PU3AS2Kc"}


@dataclass(frozen=True)
class Printf(ModulePass):
    """Kernels print by OpenCL's printf."""

    name: ClassVar[str] = "printf"

    def apply(self, context: PassContext, module: Module) -> None:
        if family_name(module.triple) != IRFamily.SPIRV64:
            return
        declared = [each for each in module.functions() if each.is_declaration]
        module.rename(
            {each.name: _overload(each) for each in declared if each.name.startswith(_INSTANCE)}
            | {each.name: _VARIADIC for each in declared if each.name == _C_FUNCTION}
        )


def _overload(instance: Function) -> str:
    form, *arguments = instance.parameter_types
    return _NAME + _MANGLED_FORMAT[form] + "".join(_MANGLED[each] for each in arguments)
