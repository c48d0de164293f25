; RUN: dovetail post-link -split=kernel -properties -emit-exported-symbols %s -o t.table
; RUN: grep -H -A9 exported t_*.prop | FileCheck %s --match-full-lines --implicit-check-not=prop
; Images list the functions that other programs can call, without kernels.

; CHECK: t_1.prop:[SYCL/exported symbols]
; CHECK-NEXT: t_1.prop:exported=1|1

define spir_kernel void @k() #0 {
  call void @exported()
  ret void
}

define void @exported() #0 {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
