; RUN: split-file %s in
; RUN: dovetail post-link -ir-output-only -S in/a.ll in/b.ll -o linked.ll
; RUN: FileCheck %s --input-file=linked.ll
; RUN: not ls linked_0.ll
; With -ir-output-only the result is the linked module, in which every function has its used aspects,
; including functions that nothing calls.

; CHECK-DAG: define spir_kernel void @k() !sycl_used_aspects ![[FP64:[0-9]+]] {
; CHECK-DAG: define void @callee() !sycl_used_aspects ![[FP64]] {
; CHECK-DAG: define internal void @leaf() !sycl_used_aspects ![[FP64]] {
; CHECK-DAG: define void @uncalled() !sycl_used_aspects ![[FP64]] {
; CHECK-DAG: define void @nothing() {
; CHECK: ![[FP64]] = !{i32 6}

;--- a.ll
define spir_kernel void @k() {
  call void @callee()
  ret void
}

declare void @callee()

;--- b.ll
define void @callee() {
  call void @leaf()
  ret void
}

define internal void @leaf() !sycl_used_aspects !0 {
  ret void
}

define void @uncalled() {
  call void @leaf()
  ret void
}

define void @nothing() {
  ret void
}

!0 = !{i32 6}
