; RUN: dovetail post-link -ir-output-only -S %s | FileCheck %s
; A call through a pointer may reach any function of that type whose address is taken.

@table = internal constant [1 x ptr] [ptr @in_table]

; CHECK: define spir_kernel void @k(ptr %f) !sycl_used_aspects ![[USED:[0-9]+]] {
define spir_kernel void @k(ptr %f) {
  call void %f(i32 1)
  ret void
}

; The same through a function that is also called directly.
; CHECK: define spir_kernel void @through(ptr %f) !sycl_used_aspects ![[USED]] {
define spir_kernel void @through(ptr %f) {
  call void @k_helper(ptr %f)
  ret void
}

define internal void @k_helper(ptr %f) {
  call void %f(i32 2)
  ret void
}

; Who takes an address calls nothing.
; CHECK: define spir_kernel void @taker(ptr %out) {
define spir_kernel void @taker(ptr %out) {
  store ptr @taken, ptr %out
  store ptr @of_another_type, ptr %out
  ret void
}

; CHECK: define spir_kernel void @direct() !sycl_used_aspects ![[CALLED:[0-9]+]] {
define spir_kernel void @direct() {
  call void @not_taken(i32 1)
  ret void
}

define internal void @taken(i32 %x) !sycl_used_aspects !0 {
  ret void
}

define internal void @in_table(i32 %x) {
  call void @behind_table()
  ret void
}

define internal void @behind_table() !sycl_used_aspects !1 {
  ret void
}

define internal void @of_another_type(i64 %x) !sycl_used_aspects !2 {
  ret void
}

define internal void @not_taken(i32 %x) !sycl_used_aspects !3 {
  ret void
}

; CHECK-DAG: ![[USED]] = !{i32 5, i32 6}
; CHECK-DAG: ![[CALLED]] = !{i32 24}
!0 = !{i32 5}
!1 = !{i32 6}
!2 = !{i32 1}
!3 = !{i32 24}
