; RUN: dovetail post-link -split=auto -properties -S -resolve=intel_gpu_pvc %s -o pvc.table
; RUN: dovetail post-link -split=auto -properties -S -resolve=intel_gpu_acm_g10 %s -o acm.table
; RUN: FileCheck %s --check-prefixes=IR,PVC --implicit-check-not=call_if --implicit-check-not=conditionally < pvc_0.ll
; RUN: FileCheck %s --check-prefixes=IR,ACM --implicit-check-not=call_if --implicit-check-not=conditionally < acm_0.ll
; RUN: grep -H "" *.prop | FileCheck %s --match-full-lines --check-prefix=SETS
; Conditions are resolved for a target: calls are direct or removed, and aspects of callees are required.

; IR-LABEL: define spir_kernel void @kernel(
; PVC-SAME:     !sycl_used_aspects
; PVC-NEXT:   call spir_func void @action(i64 7)
; PVC-NEXT:   ret void
; ACM-NEXT:   call spir_func void @otherwise()
; ACM-NEXT:   ret void
; What is behind a call is used by all that lead to it.
; PVC: define spir_kernel void @through() !sycl_used_aspects ![[FP64:[0-9]+]] {
; ACM: define spir_kernel void @through() {
; IR-NEXT:    call spir_func void @between()
; PVC:      define internal spir_func void @between() !sycl_used_aspects ![[FP64]] {
; PVC-NEXT:   call spir_func void @action(i64 8)
; PVC-NEXT:   ret void
; ACM:      define internal spir_func void @between() {
; ACM-NEXT:   ret void
; PVC:      define internal spir_func void @action(i64 %0) !sycl_used_aspects ![[FP64]]
; ACM:      define internal spir_func void @otherwise()
; PVC:      ![[FP64]] = !{i32 6}

; SETS:      acm_0.prop:[SYCL/device requirements]
; SETS-NEXT: acm_0.prop:aspects=2|AAAAAAAAAAA
; SETS-NEXT: acm_0.prop:compile_target=2|ICAAAAAAAAQauRXZs91ZwV3XhNWbfdWMwA
; SETS-NEXT: acm_0.prop:[Dovetail/resolved targets]
; SETS-NEXT: acm_0.prop:intel_gpu_acm_g10=1|1
; SETS-NEXT: pvc_0.prop:[SYCL/device requirements]
; SETS-NEXT: pvc_0.prop:aspects=2|gAAAAAAAAAgBAAAA
; SETS-NEXT: pvc_0.prop:compile_target=2|oBAAAAAAAAQauRXZs91ZwV3XwZ3Y
; SETS-NEXT: pvc_0.prop:[SYCL/image-requirements]
; SETS-NEXT: pvc_0.prop:aspect=2|gAAAAAAAAAgBAAAA
; SETS-NEXT: pvc_0.prop:[Dovetail/resolved targets]
; SETS-NEXT: pvc_0.prop:intel_gpu_pvc=1|1

define spir_kernel void @kernel() !sycl_conditionally_used_aspects !1 {
  call void @call_if_on_device_conditionally_G_1(ptr @action, i64 7, i32 -1, i32 6)
  call void @call_if_on_device_conditionally_G_3(ptr @otherwise, i32 -3, i32 -1, i32 6)
  ret void
}
define spir_kernel void @through() {
  call spir_func void @between()
  ret void
}
define spir_func void @action(i64 %0) !sycl_used_aspects !0 { ret void }
define spir_func void @otherwise() { ret void }
define spir_func void @between() {
  call void @call_if_on_device_conditionally_G_1(ptr @action, i64 8, i32 -1, i32 6)
  ret void
}
!0 = !{i32 6}
!1 = !{!2}
!2 = !{!3, !0}
!3 = !{i32 -1, i32 6}

declare void @call_if_on_device_conditionally_G_1(ptr, i64, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_3(ptr, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
