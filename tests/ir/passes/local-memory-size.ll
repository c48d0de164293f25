; RUN: not dovetail opt -p local-memory %s 2>&1 | FileCheck %s
target triple = "spirv64-unknown-unknown"

; CHECK: dovetail: error: in pass 'local-memory': in 'k', {{.*}} must be constants
define spir_kernel void @k(i64 %size) {
  %p = call spir_func ptr addrspace(3) @__sycl_allocateLocalMemory(i64 %size, i64 4)
  store i32 1, ptr addrspace(3) %p
  ret void
}

declare spir_func ptr addrspace(3) @__sycl_allocateLocalMemory(i64, i64)
