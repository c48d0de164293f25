; RUN: dovetail post-link -split=off -symbols %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; Kernels are split only by requirements.

; CHECK: t_0.sym:a1
; CHECK: t_0.sym:b1
; CHECK: t_0.sym:a3
; CHECK: t_0.sym:other_level
; CHECK: t_0.sym:other_imports
; CHECK: t_1.sym:a2

define spir_kernel void @a1() #0 {
  ret void
}

define spir_kernel void @a2() #0 !sycl_used_aspects !0 {
  ret void
}

define spir_kernel void @b1() #1 {
  ret void
}

define spir_kernel void @a3() #0 {
  ret void
}

define spir_kernel void @other_level() #1 "sycl-optlevel"="0" {
  ret void
}

define spir_kernel void @other_imports() #1 {
  call void @import()
  ret void
}

declare void @import()

attributes #0 = { "sycl-module-id"="a.cpp" }
attributes #1 = { "sycl-module-id"="b.cpp" }
!0 = !{i32 6}
