; RUN: dovetail opt -p optimize %s | FileCheck %s
; RUN: dovetail opt -p 'optimize{level=0}' %s | FileCheck %s --check-prefix=NONE
; RUN: dovetail opt -p optimize -### %s 2>&1 | FileCheck %s --check-prefix=PLAN
target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: define {{.*}}@k(
; CHECK-NEXT: store i32 3, ptr addrspace(1) %out
; Level 0 is treated as level 1, because the back-end miscompiles unoptimised code.
; NONE-LABEL: define {{.*}}@k(
; NONE-NEXT: store i32 3, ptr addrspace(1) %out
; PLAN: # in process: read {{.*}}optimize.ll
; PLAN-NEXT: # in process: passes optimize
; PLAN-NOT: define
define spir_kernel void @k(ptr addrspace(1) %out) {
  ; What is known to be global memory in the end need not be generic.
  %generic = addrspacecast ptr addrspace(1) %out to ptr addrspace(4)
  %sum = call i32 @three()
  store i32 %sum, ptr addrspace(4) %generic
  ret void
}

define internal i32 @three() {
  %pair = alloca { i32, i32 }
  %first = getelementptr { i32, i32 }, ptr %pair, i32 0, i32 0
  store i32 3, ptr %first
  %value = load i32, ptr %first
  ret i32 %value
}
