; RUN: dovetail post-link -split=auto -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: grep -H optLevel *.prop | FileCheck %s --match-full-lines --check-prefix=PROPERTIES --implicit-check-not=prop:
; Kernels of an image have the same optimisation level, which is a property of the image if known.

; CHECK: t_0.sym:not_known
; CHECK: t_1.sym:not_at_all
; CHECK: t_2.sym:two
; CHECK: t_2.sym:two_too

; PROPERTIES: t_1.prop:optLevel=1|0
; PROPERTIES: t_2.prop:optLevel=1|2

define spir_kernel void @not_known() {
  ret void
}

define spir_kernel void @not_at_all() "sycl-optlevel"="0" {
  ret void
}

define spir_kernel void @two() "sycl-optlevel"="2" {
  ret void
}

define spir_kernel void @two_too() "sycl-optlevel"="2" {
  ret void
}
