; RUN: dovetail opt -p conditional-callers,remaining-types %s | FileCheck %s
; Types in actions are used under conditions.
target triple = "spirv64-unknown-unknown"

; CHECK: define spir_kernel void @k(ptr %p) #{{[0-9]+}} !sycl_conditionally_used_aspects ![[USES:[0-9]+]] {
define spir_kernel void @k(ptr %p) #1 {
  call spir_func void @caller(ptr %p, i32 -1, i32 2)
  call spir_func void @between(ptr %p)
  ret void
}

; CHECK: define {{.*}}void @between(ptr %p) {
define internal spir_func void @between(ptr %p) {
  call spir_func void @caller(ptr %p, i32 -1, i32 6)
  ret void
}

define linkonce_odr spir_func void @caller(ptr %p, i32 %0, i32 %1) #0 {
  call spir_func void @action(ptr %p)
  ret void
}

; CHECK: define {{.*}}void @action(ptr %p) !sycl_used_aspects ![[BOTH:[0-9]+]] {
define spir_func void @action(ptr %p) {
  store double 1.0, ptr %p
  store half 1.0, ptr %p
  ret void
}

; Aspects in the metadata, of marks and declarations, are kept.
; CHECK: define spir_func void @exported() {{.*}} !sycl_used_aspects ![[GIVEN:[0-9]+]] !sycl_conditionally_used_aspects ![[IF_FP16:[0-9]+]] {
define spir_func void @exported() #1 !sycl_used_aspects !0 !sycl_conditionally_used_aspects !1 {
  ret void
}

attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
attributes #1 = { "sycl-module-id"="a.cpp" }
; CHECK-DAG: ![[BOTH]] = !{i32 5, i32 6}
; CHECK-DAG: ![[USES]] = !{![[ON_GPU:[0-9]+]], ![[WITH_FP64:[0-9]+]]}
; CHECK-DAG: ![[ON_GPU]] = !{![[IF_GPU:[0-9]+]], ![[BOTH]]}
; CHECK-DAG: ![[IF_GPU]] = !{i32 -1, i32 2}
; CHECK-DAG: ![[WITH_FP64]] = !{![[IF_FP64:[0-9]+]], ![[FP16:[0-9]+]]}
; CHECK-DAG: ![[IF_FP64]] = !{i32 -1, i32 6}
; CHECK-DAG: ![[FP16]] = !{i32 5}
; CHECK-DAG: ![[GIVEN]] = !{i32 27}
!0 = !{i32 27}
!1 = !{!2}
!2 = !{!3, !4}
!3 = !{i32 -1, i32 5}
!4 = !{i32 6}
