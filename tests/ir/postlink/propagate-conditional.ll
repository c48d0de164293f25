; RUN: dovetail post-link -ir-output-only -S %s | FileCheck %s
; Conditionally used aspects are propagated to entry points, and conditions are combined.

; CHECK: define spir_kernel void @nested() !sycl_conditionally_used_aspects ![[NESTED:[0-9]+]] {
define spir_kernel void @nested() {
  call void @call_if_1(ptr @outer, i32 -1, i32 2)
  ret void
}

; Actions have only their own aspects.
; CHECK: define void @outer() !sycl_used_aspects ![[ATOMIC64:[0-9]+]] {
define void @outer() !sycl_used_aspects !0 {
  call void @middle()
  ret void
}

; CHECK: define void @middle() {
define void @middle() {
  call void @call_if_2(ptr @inner, i32 -2, i32 20)
  ret void
}

; CHECK: define void @inner() !sycl_used_aspects ![[INNER:[0-9]+]] !sycl_declared_aspects ![[INNER]] {
define void @inner() !sycl_declared_aspects !1 {
  ret void
}

; Aspects of functions that are also called unconditionally are used on all devices.
; CHECK: define spir_kernel void @both_ways() !sycl_used_aspects ![[INNER]] {
define spir_kernel void @both_ways() {
  call void @call_if_2(ptr @inner, i32 -2, i32 20)
  call void @inner()
  ret void
}

; Recursive conditional calls.
; CHECK: define void @ring1() #{{[0-9]+}} !sycl_conditionally_used_aspects ![[RING1:[0-9]+]] {
define void @ring1() #1 {
  call void @call_if_1(ptr @ring2, i32 -1, i32 2)
  ret void
}

; CHECK: define void @ring2() !sycl_used_aspects ![[ATOMIC64]] {
define void @ring2() !sycl_used_aspects !0 {
  call void @call_if_2(ptr @ring1, i32 -2, i32 20)
  ret void
}

; What the metadata of an input says stays, and counts for callers; in normal form.
; CHECK: define spir_kernel void @of_listed() !sycl_conditionally_used_aspects ![[LISTED:[0-9]+]] {
define spir_kernel void @of_listed() {
  call void @listed()
  ret void
}

; CHECK: define void @listed() !sycl_conditionally_used_aspects ![[LISTED]] {
define void @listed() !sycl_conditionally_used_aspects !2 {
  ret void
}

; Every device has fp16 for which fp16 holds; the pointer of the action is no call.
; CHECK: define spir_kernel void @uninteresting() {
define spir_kernel void @uninteresting() {
  call void @call_if_1(ptr @half, i32 -1, i32 5)
  ret void
}

define void @half() !sycl_used_aspects !5 {
  ret void
}

declare void @call_if_1(ptr, i32, i32) #0
declare void @call_if_2(ptr, i32, i32) #0
attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
attributes #1 = { "sycl-module-id"="a.cpp" }

; Whatever has intel_gpu_pvc's architecture has fp64, but is no cpu.
; CHECK-DAG: ![[ATOMIC64]] = !{i32 27}
; CHECK-DAG: ![[INNER]] = !{i32 1, i32 6}
; CHECK-DAG: ![[NESTED]] = !{![[ON_PVC:[0-9]+]], ![[ON_GPU:[0-9]+]]}
; CHECK-DAG: ![[ON_PVC]] = !{![[IF_BOTH:[0-9]+]], ![[CPU:[0-9]+]]}
; CHECK-DAG: ![[IF_BOTH]] = !{i32 -4, i32 -1, i32 2, i32 -2, i32 20}
; CHECK-DAG: ![[CPU]] = !{i32 1}
; CHECK-DAG: ![[ON_GPU]] = !{![[IF_GPU:[0-9]+]], ![[ATOMIC64]]}
; CHECK-DAG: ![[IF_GPU]] = !{i32 -1, i32 2}
; CHECK-DAG: ![[RING1]] = !{![[ON_GPU]]}
; CHECK-DAG: ![[LISTED]] = !{![[PAIR:[0-9]+]]}
; CHECK-DAG: ![[PAIR]] = !{![[IF_LISTED:[0-9]+]], ![[ATOMIC64]]}
; CHECK-DAG: ![[IF_LISTED]] = !{i32 -4, i32 -1, i32 5, i32 -1, i32 6}
!0 = !{i32 27}
!1 = !{i32 1, i32 6}
!2 = !{!3}
!3 = !{!4, !6}
!4 = !{i32 -4, i32 -1, i32 6, i32 -1, i32 5}
!5 = !{i32 5}
!6 = !{i32 5, i32 27}
