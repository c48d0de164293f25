; RUN: dovetail post-link -split=auto %s -o t.table 2>&1 | FileCheck %s
; A function that uses more than it declares causes a warning. Without facts, only the function and the
; input are known.

;  CHECK-NOT: warning
;      CHECK: undeclared-aspect.ll: warning: function 'broken(int)' uses aspects 'cpu', 'fp64', but declares aspect 'fp16' [-Wsycl-undeclared-aspect]
; CHECK-NEXT: undeclared-aspect.ll: note: 'dovetail check a.cpp' shows every call that leads to an aspect
; CHECK-NEXT: undeclared-aspect.ll: warning: function 'nothing()' uses aspects 'cpu', 'fp64', but declares no aspects [-Wsycl-undeclared-aspect]
;  CHECK-NOT: warning

define spir_kernel void @kept() #0 !sycl_declared_aspects !0 {
  call void @_Z6brokeni(i32 1)
  call void @_Z7nothingv()
  ret void
}

define void @_Z6brokeni(i32 %x) !sycl_declared_aspects !1 {
  call void @user()
  ret void
}

define void @_Z7nothingv() !intel_allowed_aspects !2 {
  call void @user()
  ret void
}

define void @user() !sycl_used_aspects !3 {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
!0 = !{i32 1, i32 5, i32 6}
!1 = !{i32 5}
!2 = !{}
!3 = !{i32 1, i32 6}
