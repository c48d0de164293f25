; RUN: dovetail post-link -split=kernel -S %s -o t.table
; RUN: grep -H -E 'define|global' t_*.ll | FileCheck %s --implicit-check-not=ll:
; A function that two images need is in both, and internal, so that they can be linked.

; CHECK: t_0.ll:@counter = internal global i32 0
; CHECK: t_0.ll:define spir_kernel void @k1()
; CHECK: t_0.ll:define internal void @shared()
; CHECK: t_0.ll:define internal void @behind()
; CHECK: t_1.ll:@counter = internal global i32 0
; CHECK: t_1.ll:define spir_kernel void @k2()
; CHECK: t_1.ll:define internal void @shared()
; CHECK: t_1.ll:define internal void @behind()

@counter = global i32 0

define spir_kernel void @k1() {
  call void @shared()
  ret void
}

define spir_kernel void @k2() {
  call void @shared()
  ret void
}

define void @shared() {
  call void @behind()
  ret void
}

define weak void @behind() {
  store i32 1, ptr @counter
  ret void
}
