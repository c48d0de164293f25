; RUN: dovetail opt -p optimize %s | FileCheck %s
; A function has the used, declared and conditionally used aspects of the functions inlined into it.
target triple = "spirv64-unknown-unknown"

; CHECK: define spir_kernel void @k({{.*}} !sycl_used_aspects ![[ALL:[0-9]+]] !sycl_conditionally_used_aspects ![[GPU:[0-9]+]] {
; CHECK-NEXT: store
; CHECK-NEXT: ret void
define spir_kernel void @k(ptr %p) #0 !sycl_used_aspects !0 {
  call spir_func void @between(ptr %p)
  ret void
}

define internal spir_func void @between(ptr %p) {
  call spir_func void @declares(ptr %p)
  call spir_func void @older(ptr %p)
  call spir_func void @conditional(ptr %p)
  ret void
}

define internal spir_func void @declares(ptr %p) !sycl_declared_aspects !1 {
  store float 1.0, ptr %p
  ret void
}

define internal spir_func void @older(ptr %p) !intel_used_aspects !2 {
  store float 2.0, ptr %p
  ret void
}

define internal spir_func void @conditional(ptr %p) !sycl_conditionally_used_aspects !3 {
  store float 3.0, ptr %p
  ret void
}

; Its callees use no aspects.
; CHECK: define spir_kernel void @plain({{[^!]*}} {
define spir_kernel void @plain(ptr %p) #0 {
  store float 1.0, ptr %p
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
; CHECK-DAG: ![[ALL]] = !{i32 1, i32 5, i32 6}
; CHECK-DAG: ![[GPU]] = !{![[PAIR:[0-9]+]]}
!0 = !{i32 1}
!1 = !{i32 6}
!2 = !{!{!"fp16", i32 5}}
!3 = !{!4}
!4 = !{!5, !6}
!5 = !{i32 -1, i32 2}
!6 = !{i32 27}
