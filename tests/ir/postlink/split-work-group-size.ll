; RUN: dovetail post-link -split=auto -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: grep -H group *.prop | FileCheck %s --match-full-lines --check-prefix=PROPERTIES --implicit-check-not=prop:
; Kernels of an image require the same work-group size in the same number of dimensions, or none.

; CHECK: t_0.sym:any
; CHECK: t_1.sym:one
; CHECK: t_1.sym:one_too
; CHECK: t_2.sym:two
; CHECK: t_3.sym:three
; CHECK: t_4.sym:another_three

; Devices count dimensions the other way round from the attribute, reqd_work_group_size(8), (1, 8),
; (1, 1, 8) and (2, 3, 5); both orders are written.
; PROPERTIES: t_1.prop:reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAEAAAAAAAAAABAAAAAAAAAA
; PROPERTIES: t_1.prop:work_group_num_dim=1|1
; PROPERTIES: t_1.prop:reqd_work_group_size=2|ABAAAAAAAAQAAAAAIAAAAA
; PROPERTIES: t_2.prop:reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAEAAAAAAAAAABAAAAAAAAAA
; PROPERTIES: t_2.prop:work_group_num_dim=1|2
; PROPERTIES: t_2.prop:reqd_work_group_size=2|gBAAAAAAAAgAAAAABAAAAgAAAAA
; PROPERTIES: t_3.prop:reqd_work_group_size_uint64_t=2|ADAAAAAAAAACAAAAAAAAAEAAAAAAAAAABAAAAAAAAAA
; PROPERTIES: t_3.prop:work_group_num_dim=1|3
; PROPERTIES: t_3.prop:reqd_work_group_size=2|ACAAAAAAAAwAAAAABAAAAEAAAAACAAAA
; PROPERTIES: t_4.prop:reqd_work_group_size_uint64_t=2|ADAAAAAAAAQBAAAAAAAAAMAAAAAAAAAACAAAAAAAAAA
; PROPERTIES: t_4.prop:work_group_num_dim=1|3
; PROPERTIES: t_4.prop:reqd_work_group_size=2|ACAAAAAAAAwAAAAACAAAAMAAAAQBAAAA

define spir_kernel void @any() !work_group_size_hint !0 {
  ret void
}

define spir_kernel void @one() !reqd_work_group_size !0 !work_group_num_dim !1 {
  ret void
}

define spir_kernel void @two() !reqd_work_group_size !0 !work_group_num_dim !2 {
  ret void
}

define spir_kernel void @three() !reqd_work_group_size !0 !work_group_num_dim !3 {
  ret void
}

define spir_kernel void @another_three() !reqd_work_group_size !4 !work_group_num_dim !3 {
  ret void
}

define spir_kernel void @one_too() !reqd_work_group_size !0 !work_group_num_dim !1 {
  ret void
}

!0 = !{i32 8, i32 1, i32 1}
!1 = !{i32 1}
!2 = !{i32 2}
!3 = !{i32 3}
!4 = !{i32 5, i32 3, i32 2}
