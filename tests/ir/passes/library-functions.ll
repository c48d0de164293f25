; RUN: dovetail opt -p library-functions %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

declare spir_func float @expm1f(float)
declare spir_func float @unknown(float)
declare float @llvm.sin.f32(float)
declare { float, float } @llvm.sincos.f32(float)

; A source's own definition is preferred.
define spir_func float @logbf(float %x) {
  ret float %x
}

define spir_func float @calls(float %x, i128 %a, i128 %b, ptr addrspace(4) %out) {
; CHECK-LABEL: define spir_func float @calls(
; CHECK: call spir_func float @expm1f(float %x)
; CHECK: call spir_func float @logbf(
; CHECK: call spir_func float @unknown(
; The back-end implements this intrinsic,
; CHECK: call float @llvm.sin.f32(
; but not this one, and no instruction for divisions of 128 bits.
; CHECK: call { float, float } @__dovetail.sincos.f32(
; CHECK: call spir_func i128 @__udivti3(i128 %a, i128 %b)
; CHECK: ret float
  %1 = call spir_func float @expm1f(float %x)
  %2 = call spir_func float @logbf(float %1)
  %3 = call spir_func float @unknown(float %2)
  %4 = call float @llvm.sin.f32(float %3)
  %5 = call { float, float } @llvm.sincos.f32(float %4)
  %6 = extractvalue { float, float } %5, 0
  %quotient = udiv i128 %a, %b
  store i128 %quotient, ptr addrspace(4) %out
  ret float %6
}

; CHECK-DAG: define internal spir_func float @expm1f(
; CHECK-DAG: call {{.*}} @_Z17__spirv_ocl_expm1f(
; CHECK-DAG: define internal spir_func i128 @__udivti3(
; CHECK-DAG: define internal { float, float } @__dovetail.sincos.f32(
; CHECK-DAG: define internal spir_func float @sinf(
