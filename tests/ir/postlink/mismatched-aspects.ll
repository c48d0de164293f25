; RUN: split-file %s in
; RUN: dovetail post-link -split=auto in/a.ll in/b.ll -o t.table 2>&1 | FileCheck %s
; A declaration and a definition that list different aspects cause a warning, but not if one of them
; lists none.

;  CHECK-NOT: warning
;      CHECK: in/a.ll: warning: 'f()' is declared with aspect 'fp16' here but defined with aspect 'fp64' [-Wsycl-mismatched-aspects]
; CHECK-NEXT: in/b.ll: note: defined here
;  CHECK-NOT: warning

;--- a.ll
define spir_kernel void @k() {
  call void @_Z1fv()
  call void @_Z4samev()
  call void @_Z6silentv()
  ret void
}

declare !sycl_declared_aspects !0 void @_Z1fv()
declare !sycl_declared_aspects !0 void @_Z4samev()
declare void @_Z6silentv()

!0 = !{i32 5}

;--- b.ll
define void @_Z1fv() !sycl_declared_aspects !1 {
  ret void
}

define void @_Z4samev() !sycl_declared_aspects !0 {
  ret void
}

define void @_Z6silentv() !sycl_declared_aspects !0 {
  ret void
}

!0 = !{i32 5}
!1 = !{i32 6}
