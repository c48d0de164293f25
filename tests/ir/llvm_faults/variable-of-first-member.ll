; A variable gets the type of the pointer that is loaded from its start: 8 bytes, to which 40 are copied.
;
; Form: pin_variable_types. Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o - | FileCheck %s
; CHECK-DAG: %[[#BYTE:]] = OpTypeInt 8 0
; CHECK-DAG: %[[#POINTER:]] = OpTypePointer Generic %[[#BYTE]]
; CHECK-DAG: %[[#WRONG:]] = OpTypePointer Function %[[#POINTER]]
; CHECK-DAG: %[[#SIZE:]] = OpConstant %{{.+}} 40
; CHECK: %[[#COPY:]] = OpVariable %[[#WRONG]] Function
; CHECK: OpCopyMemorySized %[[#COPY]] %{{.+}} %[[#SIZE]]
%S = type { ptr addrspace(4), [4 x i64] }

define spir_func i64 @f(ptr byval(%S) %s) {
  %copy = alloca %S
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %s, i64 40, i1 false)
  %p = load ptr addrspace(4), ptr %copy
  %x = load i64, ptr addrspace(4) %p
  ret i64 %x
}
