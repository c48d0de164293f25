; Conversions to and from a width that SPIR-V lacks disappear, and the sum is neither truncated nor extended.
;
; Form: use_supported_integers (promote_integers). Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o - | FileCheck %s
; CHECK: OpFunction
; CHECK: %[[#X:]] = OpFunctionParameter
; CHECK: %[[#U:]] = OpFunctionParameter
; CHECK: OpLabel
; CHECK-NEXT: %[[#SUM:]] = OpIAdd %{{.+}} %[[#X]] %[[#U]]
; CHECK-NEXT: OpReturnValue %[[#SUM]]
define spir_func i32 @f(i32 %x, i24 %u) {
  %t = trunc i32 %x to i24
  %a = add i24 %t, %u
  %s = sext i24 %a to i32
  ret i32 %s
}
