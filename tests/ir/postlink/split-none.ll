; RUN: dovetail post-link -split=none -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym *.prop | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]+:}}
; RUN: dovetail post-link -symbols -properties %s -o t.table
; RUN: grep -H "" *.sym *.prop | FileCheck %s --match-full-lines --implicit-check-not={{[a-z]+:}}
; One image, which is the default: it requires the aspects of all kernels, and no sizes.

; CHECK: t_0.sym:nothing
; CHECK: t_0.sym:cpu
; CHECK: t_0.sym:fp64_of_16
; CHECK: t_0.prop:[SYCL/device requirements]
; CHECK: t_0.prop:aspects=2|ABAAAAAAAAQAAAAAGAAAAA
; CHECK: t_0.prop:[SYCL/image-requirements]
; CHECK: t_0.prop:aspect=2|ABAAAAAAAAQAAAAAGAAAAA

define spir_kernel void @nothing() {
  ret void
}

define spir_kernel void @cpu() !sycl_used_aspects !0 {
  ret void
}

define spir_kernel void @fp64_of_16() !sycl_used_aspects !1 !intel_reqd_sub_group_size !2 {
  ret void
}

!0 = !{i32 1}
!1 = !{i32 6}
!2 = !{i32 16}
