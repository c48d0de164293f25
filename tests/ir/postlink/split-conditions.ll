; RUN: dovetail post-link -split=off -symbols %s -o t.table
; RUN: grep -H "" t_0.sym t_1.sym t_2.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; Kernels of an image use the same aspects under the same conditions. An aspect that is used only if
; the condition says that the device has it does not split them.

; CHECK: t_0.sym:nothing
; CHECK: t_0.sym:proven
; CHECK: t_1.sym:one
; CHECK: t_1.sym:one_through_another
; CHECK: t_2.sym:other

define spir_kernel void @nothing() { ret void }
define spir_kernel void @one() {
  call spir_func void @helper()
  ret void
}
define spir_kernel void @other() {
  call void @call_if_on_device_conditionally_G_1(ptr @uses_fp64, i64 1, i32 -1, i32 1)
  ret void
}
define spir_kernel void @one_through_another() {
  call void @call_if_on_device_conditionally_G_1(ptr @uses_fp64, i64 2, i32 -1, i32 5)
  ret void
}
define spir_kernel void @proven() {
  call void @call_if_on_device_conditionally_G_1(ptr @uses_fp64, i64 2, i32 -1, i32 6)
  ret void
}
define spir_func void @helper() {
  call void @call_if_on_device_conditionally_G_1(ptr @uses_fp64, i64 3, i32 -1, i32 5)
  ret void
}
define spir_func void @uses_fp64(i64 %0) !sycl_used_aspects !0 { ret void }
!0 = !{i32 6}

declare void @call_if_on_device_conditionally_G_1(ptr, i64, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_3(ptr, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
