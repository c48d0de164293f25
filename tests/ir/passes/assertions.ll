; RUN: dovetail opt -p assertions %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; Functions between a kernel and an assertion are inlined, so that a return ends the work-item.
; CHECK: @__dovetail_assertion = linkonce_odr addrspace(1) global
; CHECK-LABEL: define spir_kernel void @k
; CHECK-NOT: call {{.*}}@checked
; CHECK: call spir_func void @__assert_fail(
; CHECK-NOT: unreachable
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %p) {
  %n = load i32, ptr addrspace(1) %p
  %r = call spir_func i32 @checked(i32 %n)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; Calls from other sources return zero.
; CHECK-LABEL: define spir_func i32 @checked
; CHECK: call spir_func void @__assert_fail(
; CHECK-NEXT: ret i32 0
define spir_func i32 @checked(i32 %n) noinline {
  %wrong = icmp eq i32 %n, 0
  br i1 %wrong, label %fail, label %end
fail:
  call spir_func void @__assert_fail(ptr addrspace(4) null, ptr addrspace(4) null, i32 7, ptr addrspace(4) null) noreturn
  unreachable
end:
  ret i32 %n
}

; The first failing work-item writes the record.
; CHECK-LABEL: define linkonce_odr spir_func void @__assert_fail(
; CHECK: cmpxchg ptr addrspace(1) @__dovetail_assertion, i32 0, i32 1
; CHECK: ret void
declare spir_func void @__assert_fail(ptr addrspace(4), ptr addrspace(4), i32, ptr addrspace(4)) noreturn
