"""Give the device functions that the headers declare bodies, where the back-end knows none.

In: device IR that declares `__spirv_…` functions, in C++'s mangling. Out: on NVIDIA's and AMD's
GPUs each of them is defined, to be inlined always, so that optimisation sees through it; on SPIR-V
they stay, but for what SPIR-V has no instruction for. Functions of numbers stay declared as well:
how good they can be depends on the target, so code generation defines them.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_functions.registry import defined_here, module_text
from dovetail.targets.ir_family import IRFamily, family_name


@dataclass(frozen=True)
class BuiltIns(ModulePass):
    """Declared device functions become definitions."""

    name: ClassVar[str] = "built-ins"

    def apply(self, context: PassContext, module: Module) -> None:
        name = family_name(module.triple)
        family = next((family for family in IRFamily if family == name), IRFamily.SPIRV64)
        functions = defined_here(family, module.functions())
        if not functions:
            return
        text = module_text(family, functions)
        module.link(Module.parse(module.context, text.encode(), "device functions"))
        # Only what is external takes the place of a declaration.
        module.set_linkage({function.name: "internal" for function in functions})
