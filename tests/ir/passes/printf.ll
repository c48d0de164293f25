; RUN: dovetail opt -p printf %s | FileCheck %s
; RUN: sed -e s/spirv64-unknown-unknown/nvptx64-nvidia-cuda/ %s > %t.ll
; RUN: dovetail opt -p printf %t.ll | FileCheck --check-prefix=OTHER %s
target triple = "spirv64-unknown-unknown"

@text = internal addrspace(1) constant [3 x i8] c"%d\00"
@constant = internal addrspace(2) constant [3 x i8] c"%d\00"

; Each combination of types has a name of its own.
; CHECK: call i32 @_Z18__spirv_ocl_printfPKcilfdPKv(ptr addrspace(4) %f, i32 1, i64 2, float 3.0
; CHECK: call i32 @_Z18__spirv_ocl_printfPKc(ptr addrspace(4) %f)
; CHECK: call i32 @_Z18__spirv_ocl_printfPU3AS2Kci(ptr addrspace(2) @constant, i32 1)
; CHECK: call i32 (ptr addrspace(4), ...) @_Z18__spirv_ocl_printfPKcz(ptr addrspace(4) %f, i32 1)
; OTHER: @_Z18__spirv_ocl_printfIJilfdPKvEEiPKcDpT_
; OTHER: @printf
define void @f(ptr addrspace(4) %f) {
  call i32 @_Z18__spirv_ocl_printfIJilfdPKvEEiPKcDpT_(ptr addrspace(4) %f, i32 1, i64 2, float 3.0, double 4.0, ptr addrspace(4) %f)
  call i32 @_Z18__spirv_ocl_printfIJEEiPKcDpT_(ptr addrspace(4) %f)
  call i32 @_Z18__spirv_ocl_printfIJiEEiPU3AS2KcDpT_(ptr addrspace(2) @constant, i32 1)
  call i32 (ptr addrspace(4), ...) @printf(ptr addrspace(4) %f, i32 1)
  ret void
}

declare i32 @_Z18__spirv_ocl_printfIJilfdPKvEEiPKcDpT_(ptr addrspace(4), i32, i64, float, double, ptr addrspace(4))
declare i32 @_Z18__spirv_ocl_printfIJEEiPKcDpT_(ptr addrspace(4))
declare i32 @_Z18__spirv_ocl_printfIJiEEiPU3AS2KcDpT_(ptr addrspace(2), i32)
declare i32 @printf(ptr addrspace(4), ...)
