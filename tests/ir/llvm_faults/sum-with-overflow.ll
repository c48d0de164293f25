; llvm.sadd.with.overflow fails, as does llvm.ssub.with.overflow.
;
; Form: replace_intrinsics. Remove it when this test fails.
; RUN: not llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: cannot select: {{.*}}G_SADDO
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

define spir_func i1 @f(i32 %x, i32 %y) {
  %m = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %x, i32 %y)
  %o = extractvalue { i32, i1 } %m, 1
  ret i1 %o
}
