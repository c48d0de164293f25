; RUN: dovetail post-link -ir-output-only -S %s | FileCheck %s
; Used aspects in older spellings are written in the current one.

; CHECK: define spir_kernel void @today() !sycl_used_aspects ![[A:[0-9]+]] {
define spir_kernel void @today() !sycl_used_aspects !0 {
  ret void
}

; CHECK: define spir_kernel void @seed() !sycl_used_aspects ![[A]] {
define spir_kernel void @seed() !intel_used_aspects !0 {
  ret void
}

; CHECK: define spir_kernel void @verb() !sycl_used_aspects ![[A]] {
define spir_kernel void @verb() !intel_uses_aspects !0 {
  ret void
}

; CHECK: define spir_kernel void @short() !sycl_used_aspects ![[A]] {
define spir_kernel void @short() !used_aspects !0 {
  ret void
}

; CHECK: define spir_kernel void @all_of_them() !sycl_used_aspects ![[B:[0-9]+]] {
define spir_kernel void @all_of_them() !sycl_used_aspects !1 !intel_used_aspects !2 !intel_uses_aspects !3 !used_aspects !4 {
  ret void
}

; CHECK: define spir_kernel void @declared() !sycl_used_aspects ![[A]] !sycl_declared_aspects
define spir_kernel void @declared() !sycl_declared_aspects !0 {
  ret void
}

; CHECK: define spir_kernel void @allowed() !sycl_used_aspects ![[A]] !intel_allowed_aspects
define spir_kernel void @allowed() !intel_allowed_aspects !0 {
  ret void
}

; Names and numbers in pairs, and numbers of another width.
; CHECK: define spir_kernel void @pairs() !sycl_used_aspects ![[A]] {
define spir_kernel void @pairs() !intel_used_aspects !5 {
  ret void
}

; CHECK: define spir_kernel void @callers_of_pairs() !sycl_used_aspects ![[A]] {
define spir_kernel void @callers_of_pairs() {
  call void @callee()
  ret void
}

declare !sycl_used_aspects !5 void @callee()

; CHECK: define spir_kernel void @wide() !sycl_used_aspects ![[A]] {
define spir_kernel void @wide() !intel_used_aspects !8 {
  ret void
}

; DPC++ has aspects of its own with negative numbers, which no device has.
; CHECK: define spir_kernel void @callers_of_internal() !sycl_used_aspects ![[A]] {
define spir_kernel void @callers_of_internal() {
  call void @internal()
  ret void
}

declare !sycl_used_aspects !9 void @internal()

; CHECK-DAG: ![[A]] = !{i32 1, i32 6}
; CHECK-DAG: ![[B]] = !{i32 1, i32 2, i32 3, i32 4}
!0 = !{i32 1, i32 6}
!1 = !{i32 1}
!2 = !{i32 2}
!3 = !{i32 3}
!4 = !{i32 4}
!5 = !{!6, !7}
!6 = !{!"cpu", i32 1}
!7 = !{!"fp64", i32 6}
!8 = !{i64 6, i8 1}
!9 = !{i32 -1, i32 1, i32 6}
