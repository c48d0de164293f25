; MachineCSE merges the divisions of two branches into one before both, which the guard no longer prevents.
; The result is undefined for zero, so a driver may remove the guard.
;
; Form: none; code is emitted at -O0. Remove it when this test fails.
; RUN: llc -O1 -mtriple=spirv64v1.3-unknown-unknown %s -o - | FileCheck %s
; CHECK: OpFunction
; CHECK: OpSRem
; CHECK: OpBranchConditional
; CHECK-NOT: OpSRem
; CHECK: OpFunctionEnd
define spir_func i32 @f(i32 %y, i32 %n) {
  %zero = icmp eq i32 %y, 0
  br i1 %zero, label %join, label %divide
divide:
  %r = srem i32 255, %y
  %large = icmp ugt i32 %r, %n
  br label %join
join:
  %five = phi i1 [ %large, %divide ], [ false, %0 ]
  %any = or i1 %zero, %five
  %mux = select i1 %five, i32 5, i32 0
  br i1 %any, label %out, label %again
again:
  %s = srem i32 255, %y
  br label %out
out:
  %x = phi i32 [ %mux, %join ], [ %s, %again ]
  ret i32 %x
}
