"""Implement failed assertions on devices.

In: calls of glibc's `__assert_fail`, or of libstdc++'s equivalent, which no device has. Out: a
definition, which depends on the family:

- SPIR-V: the first work-item that fails writes a record for the runtime (`assertion_record.py`).
  Then the work-item ends. SPIR-V can end a work-item only by returning from the kernel, so all
  functions between the kernel and the assertion are inlined.
- NVIDIA: calls the driver's `__assertfail`, which prints a message and stops the kernel.
- AMD: a trap, without a message.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.assertion_record import LLVM_TYPE, TEXT_SIZE, VARIABLE
from dovetail.ir import CallGraph, Module, link_definitions
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import abi_of
from dovetail.targets.ir_family import IRFamily, family_name

FAIL = "__assert_fail"
FAIL_OF_LIBRARY = "_ZSt21__glibcxx_assert_failPKciS0_S0_"

_FORWARD = """
define linkonce_odr {convention} void @{library}({text} %file, i32 %line, {text} %function,
                                                 {text} %expression) alwaysinline noreturn {{
  call {convention} void @{fail}({text} %expression, {text} %file, i32 %line, {text} %function)
      noreturn
  unreachable
}}
declare {convention} void @{fail}({text}, {text}, i32, {text}) noreturn
"""

_NVPTX = """
declare void @__assertfail(ptr, ptr, i32, ptr, i64) noreturn
define linkonce_odr void @{fail}(ptr %expression, ptr %file, i32 %line, ptr %function) noreturn {{
  call void @__assertfail(ptr %expression, ptr %file, i32 %line, ptr %function, i64 1) noreturn
  unreachable
}}
"""

_AMDGCN = """
declare void @llvm.trap()
define linkonce_odr void @{fail}(ptr %expression, ptr %file, i32 %line, ptr %function) noreturn {{
  call void @llvm.trap()
  unreachable
}}
"""

_SPIRV = """
%record = type {record}
@{variable} = linkonce_odr addrspace(1) global %record zeroinitializer, align 8

define linkonce_odr spir_func void @{fail}(ptr addrspace(4) %expression, ptr addrspace(4) %file,
                                           i32 %line, ptr addrspace(4) %function)
    noinline nounwind {{
  %seen = cmpxchg ptr addrspace(1) @{variable}, i32 0, i32 1 monotonic monotonic
  %first = extractvalue {{ i32, i1 }} %seen, 1
  br i1 %first, label %write, label %end
write:
  store i32 %line, {line}
{ids}
{texts}
  br label %end
end:
  ret void
}}

define linkonce_odr spir_func void @__dovetail_copy_text(ptr addrspace(4) %from,
                                                         ptr addrspace(1) %to) noinline nounwind {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %source = getelementptr i8, ptr addrspace(4) %from, i64 %i
  %byte = load i8, ptr addrspace(4) %source
  %target = getelementptr i8, ptr addrspace(1) %to, i64 %i
  store i8 %byte, ptr addrspace(1) %target
  %next = add i64 %i, 1
  %ended = icmp eq i8 %byte, 0
  br i1 %ended, label %end, label %more
more:
  %full = icmp eq i64 %next, {last}
  br i1 %full, label %cut, label %loop
cut:
  %terminator = getelementptr i8, ptr addrspace(1) %to, i64 {last}
  store i8 0, ptr addrspace(1) %terminator
  br label %end
end:
  ret void
}}

declare spir_func i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32) nounwind
declare spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32) nounwind
"""

_QUERIES = {2: "_Z33__spirv_BuiltInGlobalInvocationIdi", 3: "_Z32__spirv_BuiltInLocalInvocationIdi"}
"""The functions that return the values of fields of the record."""
_TEXTS = {4: "expression", 5: "file", 6: "function"}


@dataclass(frozen=True)
class Assertions(ModulePass):
    """Failed assertions end the work-item and are reported."""

    name: ClassVar[str] = "assertions"

    def apply(self, context: PassContext, module: Module) -> None:
        conventions = {each.name: each.calling_convention for each in module.functions()}
        if FAIL_OF_LIBRARY in conventions:
            _forward(module, conventions[FAIL_OF_LIBRARY])
        elif FAIL not in conventions:
            return
        family = family_name(module.triple)
        if family == IRFamily.NVPTX64:
            link_definitions(module, _NVPTX.format(fail=FAIL), "assertions")
        elif family == IRFamily.AMDGCN:
            link_definitions(module, _AMDGCN.format(fail=FAIL), "assertions")
        else:
            _end_work_items(module)
            link_definitions(module, _spirv_text(), "assertions")


def _forward(module: Module, convention: str) -> None:
    text = "ptr" if convention == "ccc" else "ptr addrspace(4)"
    body = _FORWARD.format(convention=convention, text=text, fail=FAIL, library=FAIL_OF_LIBRARY)
    link_definitions(module, body, "assertions of the library")


def _end_work_items(module: Module) -> None:
    """Inline all functions that can fail an assertion into kernels, which return on failure."""
    callers = CallGraph.of(module).users([FAIL])
    kernels = {
        function.name
        for function in module.functions()
        if function.calling_convention == abi_of(module).kernel_convention
    }
    inlined = {"alwaysinline": "", "noinline": None, "optnone": None}
    module.set_function_attributes(dict.fromkeys(sorted(callers - kernels - {FAIL}), inlined))
    module.run_passes("always-inline")
    module.return_behind_calls(FAIL)


def _spirv_text() -> str:
    def field(*places: int) -> str:
        path = "".join(f", i32 {place}" for place in places)
        return (
            f"ptr addrspace(1) getelementptr (%record, ptr addrspace(1) @{VARIABLE}, i64 0{path})"
        )

    ids = "\n".join(
        f"  %id.{number}.{place} = call spir_func i64 @{query}(i32 {2 - place})\n"
        f"  store i64 %id.{number}.{place}, {field(number, place)}"
        for number, query in _QUERIES.items()
        for place in range(3)
    )
    texts = "\n".join(
        f"  call spir_func void @__dovetail_copy_text(ptr addrspace(4) %{name}, {field(number, 0)})"
        for number, name in _TEXTS.items()
    )
    return _SPIRV.format(
        record=LLVM_TYPE,
        variable=VARIABLE,
        fail=FAIL,
        line=field(1),
        ids=ids,
        texts=texts,
        last=TEXT_SIZE - 1,
    )
