; RUN: dovetail post-link -split=auto -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: grep -H aspects= *.prop | FileCheck %s --match-full-lines --check-prefix=PROPERTIES
; Kernels of an image use the same aspects, directly or through calls.

; CHECK: t_0.sym:nothing
; CHECK: t_1.sym:own
; CHECK: t_1.sym:of_callee
; CHECK: t_1.sym:declared
; CHECK: t_2.sym:more
; CHECK: t_3.sym:other

; PROPERTIES: t_0.prop:aspects=2|AAAAAAAAAAA
; PROPERTIES: t_1.prop:aspects=2|gAAAAAAAAAgBAAAA
; PROPERTIES: t_2.prop:aspects=2|ABAAAAAAAAQAAAAAGAAAAA
; PROPERTIES: t_3.prop:aspects=2|gAAAAAAAAAQAAAAA

define spir_kernel void @nothing() {
  ret void
}

define spir_kernel void @own() !sycl_used_aspects !0 {
  ret void
}

define spir_kernel void @of_callee() {
  call void @callee()
  ret void
}

define spir_kernel void @declared() !sycl_declared_aspects !0 {
  ret void
}

define spir_kernel void @more() !sycl_used_aspects !1 {
  call void @callee()
  ret void
}

define spir_kernel void @other() !sycl_used_aspects !1 {
  ret void
}

define void @callee() !sycl_used_aspects !0 {
  ret void
}

!0 = !{i32 6}
!1 = !{i32 1}
