; RUN: dovetail post-link -split=auto %s -o all.table -o intel_gpu_dg1,dg1.table
; RUN: FileCheck %s --match-full-lines --input-file=all.table
; RUN: FileCheck %s --match-full-lines --input-file=dg1.table --check-prefix=DG1
; RUN: ls all_1.bc
; The table of a target lists the images that it can run; all images are written.

;      CHECK: [Code]
; CHECK-NEXT: all_0.bc
; CHECK-NEXT: all_1.bc
; CHECK-NEXT: all_2.bc
;  CHECK-NOT: {{.}}

; It has no fp64.
;      DG1: [Code]
; DG1-NEXT: all_0.bc
; DG1-NEXT: all_2.bc
;  DG1-NOT: {{.}}

define spir_kernel void @plain() {
  ret void
}

define spir_kernel void @double() !sycl_used_aspects !0 {
  ret void
}

define spir_kernel void @half() !sycl_used_aspects !1 {
  ret void
}

!0 = !{i32 6}
!1 = !{i32 5}
