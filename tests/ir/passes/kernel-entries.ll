; RUN: dovetail opt -p kernel-entries %s | FileCheck %s
; RUN: dovetail opt -p kernel-entries,optimize %s | FileCheck %s --check-prefix=INLINED
target triple = "spirv64-unknown-unknown"

; The function stays callable; the entry point has types that a device can pass.
; CHECK: define spir_func void @scale(ptr addrspace(4) %out, i1 zeroext %flag, float %by)
; CHECK: define spir_kernel void @__sycl_kernel_scale(ptr addrspace(1) {{.*}}, i8 {{.*}}, float {{.*}})
; CHECK-DAG: addrspacecast ptr addrspace(1) {{.*}} to ptr addrspace(4)
; CHECK-DAG: icmp ne i8
; CHECK: call spir_func void @scale(
define spir_func void @scale(ptr addrspace(4) %out, i1 zeroext %flag, float %by) #0 {
  ret void
}

; CHECK: define spir_kernel void @__sycl_kernel_once(ptr {{.*}}byval(%pair) align 4
%pair = type { i32, float }
define spir_func void @once(ptr byval(%pair) align 4 %p) #1 {
  ret void
}

; The entry point of a static kernel has a unique name.
; CHECK: define spir_kernel void @"__sycl_kernel_hidden$12ab"()
define internal spir_func void @hidden() #2 {
  ret void
}

; A marked declaration gets no entry point: its definition is in another source.
; CHECK-NOT: @__sycl_kernel_elsewhere
declare spir_func void @elsewhere() #0

; Always inlined, although it is large, so that its pointers are known to be global.
; INLINED-LABEL: define spir_kernel void @__sycl_kernel_large(
; INLINED-NEXT: entry:
; INLINED-NEXT: store i32 1, ptr addrspace(1) %out
define spir_func void @large(ptr addrspace(4) %out) #4 {
  store i32 1, ptr addrspace(4) %out
  ret void
}

; Unless the user forbids inlining.
; INLINED-LABEL: define spir_kernel void @__sycl_kernel_apart(
; INLINED: call spir_func void @apart(
define spir_func void @apart(ptr addrspace(4) %out) #3 {
  store i32 1, ptr addrspace(4) %out
  ret void
}

; CHECK-NOT: @__sycl_kernel_plain
define spir_func void @plain() {
  ret void
}

attributes #0 = { "sycl-nd-range-kernel"="1" }
attributes #1 = { "sycl-single-task-kernel" }
attributes #2 = { "sycl-single-task-kernel" "dovetail-entry"="__sycl_kernel_hidden$12ab" }
attributes #3 = { noinline "sycl-nd-range-kernel"="1" }
attributes #4 = { "sycl-nd-range-kernel"="1" "function-inline-cost"="10000" }
