; RUN: dovetail post-link -split=auto -properties -symbols -emit-program-metadata -S %s -o t.table
; RUN: cat t_0.sym t_1.sym t_2.sym t_3.sym t_4.sym | FileCheck %s --check-prefix=SYMBOLS --match-full-lines
; RUN: cat t_0.prop t_1.prop t_2.prop t_3.prop t_4.prop | FileCheck %s --check-prefix=SETS --match-full-lines
; RUN: cat t_0.ll t_1.ll t_2.ll t_3.ll t_4.ll | FileCheck %s --implicit-check-not='"sycl-sub' --implicit-check-not='"sycl-work' --implicit-check-not='"sycl-device'
; Requirements of kernels are given only by attributes.

;      SYMBOLS: sixteen
; SYMBOLS-NEXT: both
; SYMBOLS-NEXT: thirty_two
; SYMBOLS-NEXT: group
; SYMBOLS-NEXT: uses_fp64
; SYMBOLS-NEXT: plain

;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
; SETS-NEXT: reqd_sub_group_size=1|16
;      SETS: both@reqd_sub_group_size=1|16
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
; SETS-NEXT: reqd_sub_group_size=1|32
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
; SETS-NEXT: reqd_work_group_size_uint64_t=2|ADAAAAAAAAQBAAAAAAAAAMAAAAAAAAAACAAAAAAAAAA
; SETS-NEXT: work_group_num_dim=1|3
;      SETS: group@reqd_work_group_size=2|gBAAAAAAAAQBAAAADAAAAIAAAAA
; SETS-NEXT: group@work_group_num_dim=1|3
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|gAAAAAAAAAgBAAAA
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
;  SETS-NOT: {{.+}}

;     CHECK: define spir_kernel void @sixteen() {{.*}}!intel_reqd_sub_group_size [[S16:![0-9]+]]
; CHECK-DAG: [[S16]] = !{i32 16}
;     CHECK: define spir_kernel void @thirty_two() {{.*}}!intel_reqd_sub_group_size [[S32:![0-9]+]]
; CHECK-DAG: [[S32]] = !{i32 32}
;     CHECK: define spir_kernel void @group() {{.*}}!reqd_work_group_size [[SIZE:![0-9]+]] !work_group_num_dim [[COUNT:![0-9]+]]
; CHECK-DAG: [[SIZE]] = !{i32 5, i32 3, i32 2}
; CHECK-DAG: [[COUNT]] = !{i32 3}
;     CHECK: define spir_kernel void @uses_fp64() {{.*}}!sycl_used_aspects [[FP64:![0-9]+]]
; CHECK-DAG: [[FP64]] = !{i32 6}
;     CHECK: define spir_kernel void @plain()

define spir_kernel void @sixteen() "sycl-sub-group-size"="16" {
  ret void
}

define spir_kernel void @thirty_two() "sycl-sub-group-size"="32" {
  ret void
}

; Metadata that is there counts.
define spir_kernel void @both() "sycl-sub-group-size"="32" !intel_reqd_sub_group_size !0 {
  ret void
}

define spir_kernel void @group() "sycl-work-group-size"="2,3,5" {
  ret void
}

define spir_kernel void @uses_fp64() {
  call void @declares()
  ret void
}

; A function that is not a kernel declares aspects, and requires no sizes.
define spir_func void @declares() "sycl-device-has"="6" "sycl-sub-group-size"="8" {
  ret void
}

define spir_kernel void @plain() "another"="8" {
  ret void
}

!0 = !{i32 16}
