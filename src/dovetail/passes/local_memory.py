"""Turn requests for local memory into variables.

In: calls `__sycl_allocateLocalMemory(size, alignment)`, which the headers make for local memory
that a kernel declares, each inside a function to be inlined always. Out: for each call a variable
of its own in local memory. The functions are inlined first, so that every place that declares
memory has its own.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import LOCAL_ADDRESS_SPACE

ALLOCATE = "__sycl_allocateLocalMemory"


@dataclass(frozen=True)
class LocalMemory(ModulePass):
    """Requests become variables."""

    name: ClassVar[str] = "local-memory"

    def apply(self, context: PassContext, module: Module) -> None:
        if not any(function.name == ALLOCATE for function in module.functions()):
            return
        module.run_passes("always-inline")
        module.replace_calls_with_globals(ALLOCATE, LOCAL_ADDRESS_SPACE)
