; llvm.minimum returns NaN if one operand is; OpenCL's fmin returns the other operand.
;
; Form: replace_intrinsics. Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o - | FileCheck %s
; CHECK: OpExtInst %{{.+}} %{{.+}} fmin
declare float @llvm.minimum.f32(float, float)

define spir_func float @f(float %x, float %y) {
  %m = call float @llvm.minimum.f32(float %x, float %y)
  ret float %m
}
