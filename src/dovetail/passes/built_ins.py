"""Give the device functions that the headers declare bodies, where the back-end knows none.

In: device IR that declares `__spirv_…` functions, in C++'s mangling. Out: on NVIDIA's and AMD's
GPUs each of them is defined, to be inlined always, so that optimisation sees through it; on SPIR-V,
whose instructions they are, nothing changes. Functions of numbers stay declared everywhere, as does
what the bodies call of `processor_functions.py`: how good they can be depends on the target, so
code generation defines them.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Module, link_text
from dovetail.passes.base import ModulePass, PassContext
from dovetail.targets.ir_family import IRFamily, family_name

_FAMILIES = {family.value: family for family in (IRFamily.NVPTX64, IRFamily.AMDGCN)}
"""Those whose back-ends know no function of SPIR-V's."""


@dataclass(frozen=True)
class BuiltIns(ModulePass):
    """Declared device functions become definitions."""

    name: ClassVar[str] = "built-ins"

    def apply(self, context: PassContext, module: Module) -> None:
        if family := _FAMILIES.get(family_name(module.triple)):
            _define(module, family)


def _define(module: Module, family: IRFamily) -> None:
    # Most builds are for SPIR-V, and need none of this.
    from dovetail.passes.device_functions.registry import defined_here, text_of

    functions = defined_here(module.functions())
    if functions:
        link_text(module, text_of(family, functions), "device functions")
        # Only what is external takes the place of a declaration.
        module.set_linkage({function.name: "internal" for function in functions})
