"""Failed assertions: which kernels can fail one, and the kernel that reads the failure record."""

from collections.abc import Sequence

from dovetail.assertion_record import LLVM_TYPE, RECORD_SIZE, VARIABLE, reader_symbol
from dovetail.ir import CallGraph, Module, link_definitions

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
    """Return the kernels of an image that can fail an assertion."""
    if not has_record(module):
        return []
    (writers,) = module.variable_users([VARIABLE]).values()
    graph = CallGraph.of(module)
    return [kernel for kernel in kernels if graph.reachable([kernel]) & set(writers)]


def has_record(module: Module) -> bool:
    """Return whether the module has a failure record."""
    return any(variable.name == VARIABLE for variable in module.global_variables())


def functions_that_may_fail(linked: Module, calls: CallGraph) -> set[str]:
    """Return the functions that can fail an assertion, including by conditional calls."""
    if not has_record(linked):
        return set()
    (writers,) = linked.variable_users([VARIABLE]).values()
    # Copies of actions are not in the call graph.
    return calls.users(set(writers) & set(calls.names))


def add_reader(module: Module, kernels: Sequence[str], *, shared: bool = False) -> None:
    """Add a kernel that reads the record of the given kernels, and make the record internal.

    With `shared`, an image and its add-ons share a linkonce_odr record.
    """
    if kernels:
        text = _READER.format(
            variable=VARIABLE, record=LLVM_TYPE, size=RECORD_SIZE, reader=reader_symbol(kernels[0])
        )
        link_definitions(module, text, "reader of assertions")
    if has_record(module):
        module.set_linkage({VARIABLE: "linkonce_odr" if shared else "internal"})
