; RUN: dovetail opt -p library-functions %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

declare double @llvm.sin.f64(double)
declare float @llvm.powi.f32.i32(float, i32)
declare i64 @llvm.lround.i64.f32(float)
declare { double, double } @llvm.modf.f64(double)
declare float @llvm.floor.f32(float)

define double @calls(double %x, float %y) {
; CHECK-LABEL: define double @calls(
; LLVM has no code for these, or imprecise code.
; CHECK: call double @__dovetail.sin.f64(double %x)
; CHECK: call double @fmod(
; CHECK: call { double, double } @__dovetail.modf.f64(
; CHECK: call float @__dovetail.powi.f32.i32(
; CHECK: call i64 @__dovetail.lround.i64.f32(
; This is an instruction.
; CHECK: call float @llvm.floor.f32(
  %1 = call double @llvm.sin.f64(double %x)
  %2 = frem double %1, 0.7
  %3 = call { double, double } @llvm.modf.f64(double %2)
  %4 = extractvalue { double, double } %3, 0
  %5 = call float @llvm.powi.f32.i32(float %y, i32 3)
  %6 = call i64 @llvm.lround.i64.f32(float %5)
  %7 = call float @llvm.floor.f32(float %5)
  %8 = fpext float %7 to double
  %9 = sitofp i64 %6 to double
  %10 = fadd double %8, %9
  %11 = fadd double %4, %10
  ret double %11
}

; CHECK-DAG: define internal double @sin(
; CHECK-DAG: call {{.*}} @_Z15__spirv_ocl_sind(
; CHECK-DAG: define internal double @fmod(
; CHECK-DAG: define internal float @__powisf2(
; CHECK-DAG: define internal i64 @lroundf(
