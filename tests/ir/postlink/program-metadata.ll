; RUN: dovetail post-link -split=none -properties -emit-program-metadata %s -o t.table
; RUN: sed -n '/program metadata/,$p' t_0.prop | FileCheck %s --match-full-lines
; Images list the sizes that their kernels require.

;      CHECK: [SYCL/program metadata]
; reqd_work_group_size(2, 3, 5), in device order
; CHECK-NEXT: three@reqd_work_group_size=2|gBAAAAAAAAQBAAAADAAAAIAAAAA
; CHECK-NEXT: three@work_group_num_dim=1|3
; reqd_work_group_size(8), padded
; CHECK-NEXT: one@reqd_work_group_size=2|gBAAAAAAAAACAAAABAAAAEAAAAA
; CHECK-NEXT: one@work_group_num_dim=1|1
; CHECK-NEXT: sub_group@reqd_sub_group_size=1|16
;  CHECK-NOT: {{.}}

define spir_kernel void @three() !reqd_work_group_size !0 !work_group_num_dim !1 {
  ret void
}

define spir_kernel void @nothing() {
  ret void
}

define spir_kernel void @one() !reqd_work_group_size !2 !work_group_num_dim !3 {
  ret void
}

define spir_kernel void @sub_group() !intel_reqd_sub_group_size !4 {
  ret void
}

!0 = !{i32 5, i32 3, i32 2}
!1 = !{i32 3}
!2 = !{i32 8, i32 1, i32 1}
!3 = !{i32 1}
!4 = !{i32 16}
