"""Define the device functions that the headers declare, for NVIDIA's and AMD's GPUs.

In: device IR that declares `__spirv_…` functions with C++ mangling. Out: for NVIDIA's and AMD's
GPUs, each of them is defined and always inlined; for SPIR-V, whose instructions they are, nothing
changes. Math functions, and the functions in `processor_functions.py`, stay declared: their
implementation depends on the target, so code generation defines them.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Module, link_definitions
from dovetail.passes.base import ModulePass, PassContext
from dovetail.targets.ir_family import IRFamily, family_name

_FAMILIES = {family.value: family for family in (IRFamily.NVPTX64, IRFamily.AMDGCN)}
"""The IR families whose back-ends do not implement SPIR-V's functions."""


@dataclass(frozen=True)
class BuiltIns(ModulePass):
    """Define declared device functions."""

    name: ClassVar[str] = "built-ins"

    def apply(self, context: PassContext, module: Module) -> None:
        if family := _FAMILIES.get(family_name(module.triple)):
            _define(module, family)


def _define(module: Module, family: IRFamily) -> None:
    """Link definitions of the device functions that the module declares."""
    # Imported here because most builds are for SPIR-V.
    from dovetail.passes.device_functions.registry import defined_here, text_of

    functions = defined_here(module.functions())
    if functions:
        link_definitions(module, text_of(family, functions), "device functions")
        # Only afterwards, because internal definitions do not replace declarations.
        module.set_linkage({function.name: "internal" for function in functions})
