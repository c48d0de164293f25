; RUN: dovetail post-link -ir-output-only -S %s | FileCheck %s
; A function uses what its metadata lists as used or declared, and what its callees use.

; CHECK: define spir_kernel void @nothing() {
define spir_kernel void @nothing() {
  ret void
}

; CHECK: define spir_kernel void @one() !sycl_used_aspects ![[FP16_FP64:[0-9]+]] {
define spir_kernel void @one() {
  call void @middle()
  ret void
}

; Two kernels share a callee.
; CHECK: define spir_kernel void @two() !sycl_used_aspects ![[ALL:[0-9]+]] {
define spir_kernel void @two() !sycl_used_aspects !2 {
  call void @middle()
  call void @middle()
  ret void
}

; CHECK: define void @middle() !sycl_used_aspects ![[FP16_FP64]] {
define void @middle() !sycl_used_aspects !0 {
  call void @leaf()
  ret void
}

; What is declared stays as it is, and counts as used.
; CHECK: define void @leaf() !sycl_used_aspects ![[FP64:[0-9]+]] !sycl_declared_aspects ![[FP64]] {
define void @leaf() !sycl_declared_aspects !1 {
  ret void
}

; CHECK: define void @itself() !sycl_used_aspects ![[FP16_FP64]] {
define void @itself() !sycl_used_aspects !0 {
  call void @itself()
  call void @leaf()
  ret void
}

; What any function of a circle uses, all of them use; not what leads into the circle.
; CHECK: define void @ring1() !sycl_used_aspects ![[FP16_FP64]] {
define void @ring1() !sycl_used_aspects !0 {
  call void @ring2()
  ret void
}

; CHECK: define void @ring2() !sycl_used_aspects ![[FP16_FP64]] {
define void @ring2() {
  call void @ring3()
  ret void
}

; CHECK: define void @ring3() !sycl_used_aspects ![[FP16_FP64]] {
define void @ring3() !sycl_used_aspects !1 {
  call void @ring1()
  ret void
}

; CHECK: define spir_kernel void @into_ring() !sycl_used_aspects ![[ALL]] {
define spir_kernel void @into_ring() !sycl_used_aspects !2 {
  call void @ring3()
  ret void
}

; A function that is defined elsewhere counts with what its declaration promises.
; CHECK: define spir_kernel void @of_elsewhere() !sycl_used_aspects ![[CPU:[0-9]+]] {
define spir_kernel void @of_elsewhere() {
  call void @elsewhere()
  ret void
}

; CHECK: declare !sycl_used_aspects ![[CPU]] !sycl_declared_aspects ![[CPU]] void @elsewhere()
declare !sycl_declared_aspects !2 void @elsewhere()

; A promise to use nothing is no use.
; CHECK: define void @promise() !sycl_declared_aspects ![[NONE:[0-9]+]] {
define void @promise() !sycl_declared_aspects !3 {
  ret void
}

; CHECK-DAG: ![[FP16_FP64]] = !{i32 5, i32 6}
; CHECK-DAG: ![[ALL]] = !{i32 1, i32 5, i32 6}
; CHECK-DAG: ![[FP64]] = !{i32 6}
; CHECK-DAG: ![[CPU]] = !{i32 1}
; CHECK-DAG: ![[NONE]] = !{}
!0 = !{i32 5}
!1 = !{i32 6}
!2 = !{i32 1}
!3 = !{}
