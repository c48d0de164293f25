"""Images whose kernels can fail an assertion: who can, and the kernel that reads what they left."""

from collections.abc import Sequence

from dovetail.assertion_record import LLVM_TYPE, RECORD_SIZE, VARIABLE, reader_symbol
from dovetail.ir import CallGraph, Module, link_text

_READER = """
@{variable} = external addrspace(1) global {record}, align 8

define spir_kernel void @{reader}(ptr addrspace(1) %out) {{
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %out,
                                   ptr addrspace(1) align 8 @{variable}, i64 {size}, i1 false)
  store i32 0, ptr addrspace(1) @{variable}
  ret void
}}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
"""


def asserting_kernels(module: Module, kernels: Sequence[str]) -> list[str]:
    """Those of an image's kernels that can fail an assertion."""
    if not has_record(module):
        return []
    (writers,) = module.variable_users([VARIABLE]).values()
    graph = CallGraph.of(module)
    return [kernel for kernel in kernels if graph.reachable([kernel]) & set(writers)]


def has_record(module: Module) -> bool:
    """Whether code in the module may write a record."""
    return any(variable.name == VARIABLE for variable in module.global_variables())


def add_reader(module: Module, kernels: Sequence[str]) -> None:
    """Add the kernel that reads what the given kernels write, and hide the record from others."""
    if not has_record(module):
        return
    if kernels:
        text = _READER.format(
            variable=VARIABLE, record=LLVM_TYPE, size=RECORD_SIZE, reader=reader_symbol(kernels[0])
        )
        link_text(module, text, "reader of assertions")
    module.set_linkage({VARIABLE: "internal"})
