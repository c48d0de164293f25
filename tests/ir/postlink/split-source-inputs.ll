; RUN: split-file %s in
; RUN: dovetail post-link -split=source -symbols in/a.ll in/b.ll -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; The input is the source of functions without the attribute.

; CHECK: t_0.sym:a1
; CHECK: t_1.sym:a2
; CHECK: t_1.sym:b2
; CHECK: t_2.sym:b1

;--- a.ll
define spir_kernel void @a1() {
  ret void
}

define spir_kernel void @a2() "sycl-module-id"="c.cpp" {
  ret void
}

;--- b.ll
define spir_kernel void @b1() {
  ret void
}

define spir_kernel void @b2() "sycl-module-id"="c.cpp" {
  ret void
}
