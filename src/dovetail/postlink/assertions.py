"""Images whose kernels can fail an assertion: who can, and the kernel that reads what they left."""

from collections.abc import Sequence

from dovetail.assertion_record import LLVM_TYPE, RECORD_SIZE, VARIABLE, reader_symbol
from dovetail.ir import CallGraph, Module, link_text

_READER = """
@{variable} = linkonce_odr addrspace(1) global {record} zeroinitializer, align 8

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


def functions_that_may_fail(linked: Module, calls: CallGraph) -> set[str]:
    """Those that can fail an assertion, also by what is called under a condition."""
    if not has_record(linked):
        return set()
    (writers,) = linked.variable_users([VARIABLE]).values()
    # Copies that were made since do what their origins do.
    return calls.users(set(writers) & set(calls.names))


def add_reader(module: Module, kernels: Sequence[str], *, shared: bool = False) -> None:
    """Add the kernel that reads what the given kernels write, and hide the record from others.

    But where an image and its add-ons write into one record: there it is shared.
    """
    if kernels:
        text = _READER.format(
            variable=VARIABLE, record=LLVM_TYPE, size=RECORD_SIZE, reader=reader_symbol(kernels[0])
        )
        link_text(module, text, "reader of assertions")
    if has_record(module):
        module.set_linkage({VARIABLE: "linkonce_odr" if shared else "internal"})
