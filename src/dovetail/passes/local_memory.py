"""Replace allocations of local memory by variables.

In: calls of `__sycl_allocateLocalMemory(size, alignment)`, by which the headers implement
declarations of local memory, inside always-inlined functions. Out: after inlining, a variable in
local memory for each call.

In: calls of `__dovetail_groupScratch()` in the headers' group algorithms. Out: a definition that
returns one array for all of them; the algorithms synchronize their use of it.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Module, link_definitions
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import LOCAL_ADDRESS_SPACE

ALLOCATE = "__sycl_allocateLocalMemory"
SCRATCH = "_Z23__dovetail_groupScratchv"
SCRATCH_TEXT = """
@__dovetail_group_scratch = linkonce_odr addrspace({space}) global [64 x i64] poison, align 8

define linkonce_odr {convention} ptr addrspace({space}) @{name}() alwaysinline nounwind {{
  ret ptr addrspace({space}) @__dovetail_group_scratch
}}
"""


@dataclass(frozen=True)
class LocalMemory(ModulePass):
    """Replace allocations by variables."""

    name: ClassVar[str] = "local-memory"

    def apply(self, context: PassContext, module: Module) -> None:
        conventions = {each.name: each.calling_convention for each in module.functions()}
        if SCRATCH in conventions:
            _define_scratch(module, conventions[SCRATCH])
        if SCRATCH in conventions or ALLOCATE in conventions:
            module.run_passes("always-inline")
        if ALLOCATE in conventions:
            module.replace_calls_with_globals(ALLOCATE, LOCAL_ADDRESS_SPACE)


def _define_scratch(module: Module, convention: str) -> None:
    text = SCRATCH_TEXT.format(space=LOCAL_ADDRESS_SPACE, convention=convention, name=SCRATCH)
    link_definitions(module, text, "group scratch")
