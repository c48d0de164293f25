; RUN: dovetail opt -p local-memory %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; Two allocations through the same function, which is inlined first, are two variables.
; CHECK-DAG: @[[A:[^ ]+]] = internal addrspace(3) global [64 x i8] {{undef|poison}}, align 16
; CHECK-DAG: @[[B:[^ ]+]] = internal addrspace(3) global [64 x i8] {{undef|poison}}, align 16
; CHECK: define spir_kernel void @k()
; CHECK-DAG: store i32 1, ptr addrspace(3) @[[A]]
; CHECK-DAG: store i32 2, ptr addrspace(3) @[[B]]
; CHECK-NOT: call {{.*}}__sycl_allocateLocalMemory
define spir_kernel void @k() {
  %a = call spir_func ptr addrspace(3) @tile()
  %b = call spir_func ptr addrspace(3) @tile()
  store i32 1, ptr addrspace(3) %a
  store i32 2, ptr addrspace(3) %b
  ret void
}

define internal spir_func ptr addrspace(3) @tile() alwaysinline {
  %p = call spir_func ptr addrspace(3) @__sycl_allocateLocalMemory(i64 64, i64 16)
  ret ptr addrspace(3) %p
}

declare spir_func ptr addrspace(3) @__sycl_allocateLocalMemory(i64, i64)
