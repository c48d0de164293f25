; For SPIR-V, the back-end implements the functions.
; RUN: dovetail opt -p built-ins %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; CHECK: declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
; CHECK: call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)

define spir_kernel void @k(ptr addrspace(1) %out) {
  %id = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  store i64 %id, ptr addrspace(1) %out
  ret void
}
