; llvm.sshl.sat fails, as do llvm.ushl.sat, llvm.canonicalize, llvm.minimumnum, llvm.maximumnum, llvm.ldexp, llvm.lrint.
;
; Form: replace_intrinsics. Remove it when this test fails.
; RUN: not llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: unable to legalize instruction: {{.*}}G_SSHLSAT
declare i32 @llvm.sshl.sat.i32(i32, i32)

define spir_func i32 @f(i32 %x, i32 %y) {
  %r = call i32 @llvm.sshl.sat.i32(i32 %x, i32 %y)
  ret i32 %r
}
