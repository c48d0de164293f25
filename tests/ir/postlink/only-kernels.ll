; RUN: dovetail post-link -split=auto -emit-only-kernels-as-entry-points -symbols -S %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: grep -H define t_*.ll | FileCheck %s --check-prefix=CODE --implicit-check-not=define
; If only kernels are entry points, SYCL_EXTERNAL functions are in the images of kernels that need them.

; CHECK: t_0.sym:k

; CODE: t_0.ll:define spir_kernel void @k()
; CODE: t_0.ll:define internal void @used()

define spir_kernel void @k() #0 {
  call void @used()
  ret void
}

define void @used() #0 {
  ret void
}

define void @unused() #0 !sycl_used_aspects !0 {
  ret void
}

; Not SYCL_EXTERNAL.
define void @plain() {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
!0 = !{i32 6}
