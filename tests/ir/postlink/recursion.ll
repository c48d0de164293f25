; RUN: dovetail post-link -split=auto -symbols -S %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: FileCheck %s --check-prefix=CODE --input-file=t_1.ll
; Mutually recursive functions and their callers use the aspects of all of them; all are in the image.

; CHECK: t_0.sym:itself
; CHECK: t_1.sym:into_first
; CHECK: t_1.sym:into_second

; CODE-DAG: define internal void @first() !sycl_used_aspects ![[FP64:[0-9]+]] {
; CODE-DAG: define internal void @second() !sycl_used_aspects ![[FP64]] {
; CODE: ![[FP64]] = !{i32 6}

define spir_kernel void @itself() {
  call void @calls_itself()
  ret void
}

define spir_kernel void @into_first() {
  call void @first()
  ret void
}

define spir_kernel void @into_second() {
  call void @second()
  ret void
}

define void @calls_itself() {
  call void @calls_itself()
  ret void
}

define void @first() {
  call void @second()
  ret void
}

define void @second() !sycl_used_aspects !0 {
  call void @first()
  ret void
}

!0 = !{i32 6}
