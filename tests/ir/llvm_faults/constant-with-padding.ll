; A constant of a class type with a vector and padding.
;
; Form: use_plain_constants. Remove it when this test fails.
; RUN: not --crash llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: unable to translate instruction: call llvm.spv.const.composite
@c = internal addrspace(1) constant { i8, [3 x i8], <3 x i16>, i64 } { i8 1, [3 x i8] undef, <3 x i16> <i16 1, i16 2, i16 3>, i64 5 }

define spir_func i64 @f(i64 %n) {
  %p = getelementptr i8, ptr addrspace(1) @c, i64 %n
  %x = load i64, ptr addrspace(1) %p
  ret i64 %x
}
