; RUN: dovetail post-link -split=source -symbols %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; Kernels are split by source, even with calls through pointers.

; CHECK: t_0.sym:a1
; CHECK: t_0.sym:a3
; CHECK: t_1.sym:a2
; CHECK: t_2.sym:b1

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

; A call through a pointer.
define void @any(ptr %f) {
  call void %f()
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
attributes #1 = { "sycl-module-id"="b.cpp" }
!0 = !{i32 6}
