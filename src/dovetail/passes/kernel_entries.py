"""Give each plain function that is a kernel an entry point.

In: functions with the attribute `sycl-nd-range-kernel` or `sycl-single-task-kernel`, in the
calling convention of any device function. Out: beside each an entry point, named with DPC++'s
prefix, that a device can start and that calls the function, which stays callable from other
kernels. The function is inlined there, unless the user forbids that: only then it shows that its
pointers are to global memory. A device hands over pointers to global memory and no booleans, so
those parameters change their type. Entry points that clang itself made, of lambdas and function
objects, may be in several sources that include the same header; they count once.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.facts import ENTRY_ATTRIBUTE
from dovetail.ir import Module
from dovetail.kernel_info import ENTRY_PREFIX
from dovetail.kernel_marks import KERNEL_MARKS
from dovetail.passes.base import ModulePass, PassContext

# What a parameter of a device function becomes in a SPIR-V entry point.
_ENTRY_TYPES = {"ptr addrspace(4)": "ptr addrspace(1)", "i1": "i8"}


@dataclass(frozen=True)
class KernelEntries(ModulePass):
    """Plain functions become kernels."""

    name: ClassVar[str] = "kernel-entries"

    def apply(self, context: PassContext, module: Module) -> None:
        module.set_linkage(
            {
                kernel.symbol: "weak_odr"
                for kernel in context.facts.kernels
                if kernel.form == "entry" and not kernel.internal
            }
        )
        marked = {name for mark in KERNEL_MARKS for name in module.function_attributes(mark)}
        entry_names = module.function_attributes(ENTRY_ATTRIBUTE)
        kernels = [f for f in module.functions() if f.name in marked and not f.is_declaration]
        for function in kernels:
            module.wrap_function(
                function.name,
                entry_names.get(function.name, ENTRY_PREFIX + function.name),
                "spir_kernel",
                entry_types(function.parameter_types),
            )
        _inline(module, {function.name for function in kernels})


def _inline(module: Module, names: set[str]) -> None:
    names -= module.function_attributes("noinline").keys()
    module.set_function_attributes({name: {"alwaysinline": ""} for name in names})


def entry_types(parameters: list[str]) -> dict[int, str]:
    """The positions of the parameters that change, with their types in the entry point."""
    return {
        position: _ENTRY_TYPES[text]
        for position, text in enumerate(parameters)
        if text in _ENTRY_TYPES
    }
