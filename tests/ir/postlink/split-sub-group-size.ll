; RUN: dovetail post-link -split=auto -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: grep -H sub_group *.prop | FileCheck %s --match-full-lines --check-prefix=PROPERTIES --implicit-check-not=prop:
; Kernels of an image require the same sub-group size, or none.

; CHECK: t_0.sym:any
; CHECK: t_1.sym:sixteen
; CHECK: t_1.sym:sixteen_too
; CHECK: t_2.sym:thirty_two

; PROPERTIES: t_1.prop:reqd_sub_group_size=1|16
; PROPERTIES: t_1.prop:reqd_sub_group_size=2|gAAAAAAAAAAEAAAA
; PROPERTIES: t_2.prop:reqd_sub_group_size=1|32
; PROPERTIES: t_2.prop:reqd_sub_group_size=2|gAAAAAAAAAAIAAAA

define spir_kernel void @any() {
  ret void
}

define spir_kernel void @sixteen() !intel_reqd_sub_group_size !0 {
  ret void
}

define spir_kernel void @thirty_two() !intel_reqd_sub_group_size !1 {
  ret void
}

define spir_kernel void @sixteen_too() !intel_reqd_sub_group_size !0 {
  ret void
}

!0 = !{i32 16}
!1 = !{i32 32}
