; RUN: dovetail post-link -split=off -symbols -S %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: FileCheck %s --check-prefix=CODE --input-file=t_1.ll
; A function that no input defines uses the aspects that its declaration lists.

; CHECK: t_0.sym:caller_of_silent
; CHECK: t_1.sym:caller

; CODE: define spir_kernel void @caller() !sycl_used_aspects ![[FP64:[0-9]+]] {
; CODE: declare {{.*}}void @elsewhere()
; CODE: ![[FP64]] = !{i32 6}

define spir_kernel void @caller_of_silent() {
  call void @silent()
  ret void
}

define spir_kernel void @caller() {
  call void @elsewhere()
  ret void
}

declare void @silent()
declare !sycl_declared_aspects !0 void @elsewhere()

!0 = !{i32 6}
