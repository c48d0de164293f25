; LLVM recognises loops that reverse bits; the instruction needs a capability that is not allowed in kernels.
;
; Form: replace_intrinsics. Remove it when this test fails.
; RUN: not --crash llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: Unable to meet SPIR-V requirements for this target
declare i32 @llvm.bitreverse.i32(i32)

define spir_func i32 @f(i32 %x) {
  %r = call i32 @llvm.bitreverse.i32(i32 %x)
  ret i32 %r
}
