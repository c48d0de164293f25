; LLVM would convert the integer directly to double, and ignore that it is too large for half.
; RUN: dovetail opt -p optimize %s | FileCheck %s

target triple = "spirv64-unknown-unknown"

; CHECK-LABEL: @overflows
; CHECK: [[HALF:%.+]] = uitofp i64 {{.+}} to half
; CHECK-NEXT: fpext half [[HALF]] to double
; CHECK-LABEL: @vectors
; CHECK: [[HALVES:%.+]] = uitofp <2 x i64> {{.+}} to <2 x half>
; CHECK-NEXT: fpext <2 x half> [[HALVES]] to <2 x double>
; CHECK-NOT: arithmetic.fence
define spir_func double @overflows(i64 %x) {
  %high = shl i64 %x, 63
  %half = uitofp i64 %high to half
  %wide = fpext half %half to double
  ret double %wide
}

define spir_func <2 x double> @vectors(<2 x i64> %x) {
  %high = shl <2 x i64> %x, splat (i64 63)
  %half = uitofp <2 x i64> %high to <2 x half>
  %wide = fpext <2 x half> %half to <2 x double>
  ret <2 x double> %wide
}
