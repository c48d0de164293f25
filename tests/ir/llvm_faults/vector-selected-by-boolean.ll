; Before version 1.4, OpSelect of vectors requires a vector of conditions.
;
; Form: use_common_vectors (splat_conditions). Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown -filetype=obj %s -o out.spv && not spirv-val out.spv 2>&1 | FileCheck --check-prefix=INVALID %s
; INVALID: Expected vector sizes of Result Type and the condition to be equal: Select
define spir_func <8 x i8> @f(i1 %c, <8 x i8> %v, <8 x i8> %w) {
  %s = select i1 %c, <8 x i8> %v, <8 x i8> %w
  ret <8 x i8> %s
}
