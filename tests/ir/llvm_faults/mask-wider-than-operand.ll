; The mask for a truncation has the width of the result, its operand that of the source.
;
; Form: use_supported_integers (promote_integers). Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown -filetype=obj %s -o out.spv && not spirv-val out.spv 2>&1 | FileCheck --check-prefix=INVALID %s
; INVALID: Expected operands to have the same bit width as Result Type
define spir_func i32 @f(i64 %x) {
  %t = trunc i64 %x to i8
  %r = zext i8 %t to i32
  ret i32 %r
}
