; RUN: dovetail opt -p assertions %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k
; CHECK: call void @_ZSt21__glibcxx_assert_failPKciS0_S0_
; CHECK-NEXT: unreachable
define ptx_kernel void @k() {
  call void @_ZSt21__glibcxx_assert_failPKciS0_S0_(ptr null, i32 7, ptr null, ptr null) noreturn
  unreachable
}

; libstdc++'s assertion handler has another order of parameters.
; CHECK-LABEL: define linkonce_odr void @_ZSt21__glibcxx_assert_failPKciS0_S0_(
; CHECK: call void @__assert_fail(ptr %expression, ptr %file, i32 %line, ptr %function)
declare void @_ZSt21__glibcxx_assert_failPKciS0_S0_(ptr, i32, ptr, ptr) noreturn

; CHECK-LABEL: define linkonce_odr void @__assert_fail(
; CHECK: call void @__assertfail(ptr %expression, ptr %file, i32 %line, ptr %function, i64 1)
