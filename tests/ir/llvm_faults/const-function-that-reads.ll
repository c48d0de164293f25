; SPIR-V's Const means that a function does not read memory through its parameters.
;
; Form: forget_memory_effects. Remove it when this test fails.
; RUN: llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o - | FileCheck %s
; CHECK: OpFunction %{{.+}} DontInline|Const
; CHECK: OpLoad
define spir_func i32 @get(ptr addrspace(4) %p) noinline memory(argmem: read) {
  %x = load i32, ptr addrspace(4) %p
  ret i32 %x
}
