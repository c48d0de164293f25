"""Give each plain function that is a kernel an entry point.

In: functions with the attribute `sycl-nd-range-kernel` or `sycl-single-task-kernel`, in the calling
convention of any device function. Out: beside each an entry point, named with DPC++'s prefix, that
a device can start and that calls the function, which stays callable from other kernels. It has the
function's properties. The function is inlined there, unless the user forbids that: only then it
shows that its pointers are to global memory. Unless it is SYCL_EXTERNAL, no other source can call
it, and nothing is left of it that would be optimised a second time. A device that takes SPIR-V
hands over pointers to global memory and no booleans, so those parameters change their type. For
AMD's GPUs clang has made the entry points (`native/plugin/entry_points.h`), which get their final
names here. Entry points that clang itself made, of lambdas and function objects, may be in several
sources that include the same header; they count once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import CONDITIONAL_CALLER
from dovetail.errors import IRError
from dovetail.facts import ENTRY_ATTRIBUTE
from dovetail.ir import Function, Module
from dovetail.kernel_properties import ENTRY_PREFIX, KERNEL_MARKS
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import DeviceABI, abi_of

_INLINE = ("linkonce", "linkonce_odr", "weak", "weak_odr")
"""How functions are linked that several sources may define."""


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
        functions = module.functions()
        kernels = {
            function: entry_names.get(function.name, ENTRY_PREFIX + function.name)
            for function in functions
            if function.name in marked and not function.is_declaration
        }
        abi = abi_of(module)
        if abi.has_entry_points:
            _name_entries(module, kernels, {function.name for function in functions})
        else:
            _make_entries(module, kernels, abi)
        module.set_function_attributes(
            {
                kernel.entry_symbol: kernel.attributes
                for kernel in context.facts.kernels
                if kernel.form == "function"
            }
        )
        external = {fact.symbol for fact in context.facts.functions if fact.is_external}
        actions = {call.action for call in module.conditional_calls(CONDITIONAL_CALLER)}
        own = {kernel.symbol for kernel in context.facts.kernels} - external - actions
        _inline(module, {function.name for function in kernels}, own)


def _make_entries(module: Module, kernels: dict[Function, str], abi: DeviceABI) -> None:
    for function, entry in kernels.items():
        types = entry_types(function.parameter_types, abi)
        module.wrap_function(function.name, entry, abi.kernel_convention, types)


def _name_entries(module: Module, kernels: dict[Function, str], present: set[str]) -> None:
    """Entry points are named after their functions, of which other sources may have namesakes."""
    made = {function: ENTRY_PREFIX + function.name for function in kernels}
    for function, entry in made.items():
        if entry not in present:
            raise IRError(
                f"kernel '{function.name}' has no entry point, which the front-end has to make"
            )
    module.rename({made[f]: entry for f, entry in kernels.items() if made[f] != entry})
    # What takes a lambda as a parameter clang makes internal, and nothing would be left of it.
    module.set_linkage(
        {
            entry: "weak_odr" if function.linkage in _INLINE else "external"
            for function, entry in kernels.items()
        }
    )


def _inline(module: Module, names: set[str], own: set[str]) -> None:
    """Have functions inlined; `own` are those that nobody else calls."""
    inlined = names - module.function_attributes("noinline").keys()
    module.set_function_attributes({name: {"alwaysinline": ""} for name in inlined})
    module.set_linkage(dict.fromkeys(inlined & own, "internal"))


def entry_types(parameters: Sequence[str], abi: DeviceABI) -> dict[int, str]:
    """The positions of the parameters that change, with their types in the entry point."""
    return {
        position: abi.entry_types[text]
        for position, text in enumerate(parameters)
        if text in abi.entry_types
    }
