; The back-end looks up the type of the format of printf by its virtual register in another function. Here
; that register is the argument of the other printf, which it takes for a pointer to other memory.
;
; Form: put_formats_in_constant_memory; code is emitted with the extension, whose declaration is then
; removed (remove_relaxed_formats). Remove that when this test fails.
; RUN: not llc -O0 -mtriple=spirv64v1.3-unknown-unknown %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: SPV_EXT_relaxed_printf_string_address_space is required
@format = internal addrspace(2) constant [4 x i8] c"%d\0A\00"
@other = internal addrspace(2) constant [3 x i8] c"%d\00"
define spir_kernel void @f(i32 %x) {
  %n = call spir_func i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2Kcz(ptr addrspace(2) @format, i32 %x)
  ret void
}
define spir_kernel void @g() {
  %n = call spir_func i32 (ptr addrspace(2), ...) @_Z18__spirv_ocl_printfPU3AS2Kcz(ptr addrspace(2) @other, i32 255)
  ret void
}
declare spir_func i32 @_Z18__spirv_ocl_printfPU3AS2Kcz(ptr addrspace(2), ...)
