; RUN: dovetail post-link -split=auto -symbols %s -o t.table
; RUN: cat t.table t_0.sym t_1.sym | FileCheck %s --match-full-lines
; RUN: dovetail post-link -split=auto %s -o u.table
; RUN: FileCheck %s --check-prefix=WITHOUT --match-full-lines --input-file=u.table
; RUN: not ls u_0.sym
; A file for each image lists the symbols of its entry points, one per line, in order.

;      CHECK: [Code|Symbols]
; CHECK-NEXT: t_0.bc|t_0.sym
; CHECK-NEXT: t_1.bc|t_1.sym
; CHECK-NEXT: _ZTS1K
; CHECK-NEXT: _Z8exportedi
; CHECK-NEXT: another
; CHECK-NEXT: double
;  CHECK-NOT: {{.}}

;      WITHOUT: [Code]
; WITHOUT-NEXT: u_0.bc
; WITHOUT-NEXT: u_1.bc

define spir_kernel void @_ZTS1K() #0 {
  ret void
}

define void @_Z8exportedi(i32 %x) #0 {
  ret void
}

define spir_kernel void @double() #0 !sycl_used_aspects !0 {
  ret void
}

define spir_kernel void @another() #0 {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
!0 = !{i32 6}
