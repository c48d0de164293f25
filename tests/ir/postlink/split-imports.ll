; RUN: dovetail post-link -split=auto -symbols %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; Kernels of an image import the same functions, so that none needs functions that only another calls.

; CHECK: t_0.sym:nothing
; CHECK: t_0.sym:built_in
; CHECK: t_1.sym:one
; CHECK: t_1.sym:one_through_another
; CHECK: t_2.sym:both

define spir_kernel void @nothing() {
  ret void
}

define spir_kernel void @one() {
  call void @import1()
  ret void
}

define spir_kernel void @both() {
  call void @import2()
  call void @helper()
  ret void
}

define spir_kernel void @one_through_another() {
  call void @helper()
  ret void
}

define spir_kernel void @built_in() {
  call void @__spirv_ControlBarrier()
  ret void
}

define void @helper() {
  call void @import1()
  ret void
}

declare void @import1()
declare void @import2()
declare void @__spirv_ControlBarrier()
