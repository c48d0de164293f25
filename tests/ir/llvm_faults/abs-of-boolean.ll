; Intrinsics of 1-bit integers have no instructions.
;
; Form: replace_intrinsics. Remove it when this test fails.
; RUN: not llc -O0 -mtriple=spirv64v1.3-unknown-unknown -filetype=obj %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: unable to legalize instruction: {{.*}} = G_ABS
define spir_func i1 @f(i1 %x) {
  %r = call i1 @llvm.abs.i1(i1 %x, i1 false)
  ret i1 %r
}
