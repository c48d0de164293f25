; LLVM's passes create such casts when a value is stored as one type and loaded as another.
;
; Form: use_supported_integers (split_wide_integers). Remove it when this test fails.
; RUN: not llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: unable to legalize instruction
define spir_func <2 x i64> @f(<8 x i32> %v) {
  %w = bitcast <8 x i32> %v to <2 x i128>
  %t = trunc <2 x i128> %w to <2 x i64>
  ret <2 x i64> %t
}
