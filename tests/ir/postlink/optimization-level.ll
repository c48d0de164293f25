; RUN: split-file %s in
; RUN: dovetail post-link -properties in/same.ll -o same.table
; RUN: dovetail post-link -properties in/different.ll -o different.table
; RUN: dovetail post-link -properties in/no-number.ll -o no-number.table
; RUN: FileCheck %s --match-full-lines --input-file=same_0.prop
; RUN: not grep -H misc different_0.prop no-number_0.prop
; An image has the optimisation level of its kernels if it is the same for all.

;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|2
;  CHECK-NOT: {{.}}

;--- same.ll
define spir_kernel void @a() "sycl-optlevel"="2" {
  ret void
}

define spir_kernel void @b() "sycl-optlevel"="2" {
  ret void
}

;--- different.ll
define spir_kernel void @a() "sycl-optlevel"="2" {
  ret void
}

define spir_kernel void @b() "sycl-optlevel"="3" {
  ret void
}

;--- no-number.ll
define spir_kernel void @a() "sycl-optlevel"="s" {
  ret void
}
