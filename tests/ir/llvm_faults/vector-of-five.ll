; SPIR-V has vectors of 2, 3, 4, 8 and 16 elements.
;
; Form: use_common_vectors (split_vectors). Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown -filetype=obj %s -o out.spv && not spirv-val out.spv 2>&1 | FileCheck --check-prefix=INVALID %s
; INVALID: Illegal number of components (5) for TypeVector
define spir_func <5 x i32> @f(<5 x i32> %v, <5 x i32> %w) {
  %s = add <5 x i32> %v, %w
  ret <5 x i32> %s
}
