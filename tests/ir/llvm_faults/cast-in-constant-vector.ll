; An element of a constant vector is a constant expression: an element of another vector that is bitcast.
;
; Form: use_common_vectors (split_vectors), for constants that the scalarizer creates. Remove it when this test fails.
; RUN: not --crash llc -O0 -mtriple=spirv64v1.3-unknown-unknown -filetype=obj %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: Running pass 'SPIRV pre legalizer'
define spir_func <4 x i32> @f(i32 %x) {
  %v = insertelement <4 x i32> <i32 7, i32 extractelement (<2 x i32> bitcast (<1 x i64> splat (i64 3) to <2 x i32>), i64 0), i32 poison, i32 poison>, i32 %x, i64 0
  ret <4 x i32> %v
}
