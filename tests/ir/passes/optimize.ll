; RUN: dovetail opt -p optimize %s | FileCheck %s
; RUN: dovetail opt -p 'optimize{level=0}' %s | FileCheck %s --check-prefix=NONE
target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define {{.*}}@k(
; CHECK-NEXT: store i32 3, ptr addrspace(1) %out
; NONE: add i32 1, 2
define spir_kernel void @k(ptr addrspace(1) %out) {
  %sum = add i32 1, 2
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
