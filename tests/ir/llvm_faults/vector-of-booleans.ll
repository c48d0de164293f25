; Vectorisers create such casts for comparisons.
;
; Form: use_supported_integers (promote_integers). Remove it when this test fails.
; RUN: not --crash llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: incompatible result and operand types in a bitcast
define spir_func i4 @f(<4 x i32> %v) {
  %c = icmp sgt <4 x i32> %v, zeroinitializer
  %b = bitcast <4 x i1> %c to i4
  ret i4 %b
}
