; RUN: dovetail opt -p class-addresses %s | FileCheck %s
; A function that computes the address of any member of an object that contains a double uses fp64,
; unless the object is a local variable.
target triple = "spirv64-unknown-unknown"

%holds = type { float, double }
%outer = type { i32, [2 x %holds] }
%plain = type { float, i32 }

; CHECK: define spir_func void @member(ptr %p) !sycl_used_aspects ![[BOTH:[0-9]+]] {
define spir_func void @member(ptr %p) !sycl_used_aspects !0 {
  %f = getelementptr inbounds %holds, ptr %p, i32 0, i32 0
  store float 1.0, ptr %f
  ret void
}

; CHECK: define spir_func void @nested(ptr %p) !sycl_used_aspects ![[FP64:[0-9]+]] {
; CHECK-NEXT: getelementptr
define spir_func void @nested(ptr %p) {
  %i = getelementptr inbounds %outer, ptr %p, i32 0, i32 0
  store i32 1, ptr %i
  ret void
}

; CHECK: define spir_func void @other(ptr %p) {
define spir_func void @other(ptr %p) {
  %f = getelementptr inbounds %plain, ptr %p, i32 0, i32 0
  store float 1.0, ptr %f
  ret void
}

; CHECK: define spir_func void @numbers(ptr %p) {
define spir_func void @numbers(ptr %p) {
  %d = getelementptr inbounds double, ptr %p, i32 1
  store i64 0, ptr %d
  ret void
}

; CHECK: define spir_func void @unused(ptr %p) {
define spir_func void @unused(ptr %p) {
  %f = getelementptr inbounds %holds, ptr %p, i32 0, i32 0
  ret void
}

; CHECK: define internal spir_func void @set(ptr %h) {
define internal spir_func void @set(ptr %h) {
  %f = getelementptr inbounds %holds, ptr %h, i32 0, i32 0
  store float 1.0, ptr %f
  ret void
}

; The pointer in one object points to the other.
; CHECK: define spir_func void @own(ptr byval(%holds) %p) {
define spir_func void @own(ptr byval(%holds) %p) {
  %h = alloca %holds
  %pointers = alloca { ptr, double }
  %slot = getelementptr inbounds { ptr, double }, ptr %pointers, i32 0, i32 0
  store ptr %h, ptr %slot
  %again = load ptr, ptr %slot
  call spir_func void @set(ptr %again)
  call spir_func void @set(ptr %p)
  ret void
}

; CHECK: define spir_func void @through_a_call(ptr %p) !sycl_used_aspects ![[FP64]] {
define spir_func void @through_a_call(ptr %p) {
  call spir_func void @set(ptr %p)
  ret void
}

; CHECK-NOT: declare
; CHECK-DAG: ![[BOTH]] = !{i32 5, i32 6}
; CHECK-DAG: ![[FP64]] = !{i32 6}
!0 = !{i32 5}
