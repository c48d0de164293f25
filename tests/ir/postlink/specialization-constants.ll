; RUN: dovetail post-link -split=kernel -properties -S %s -o t.table
; RUN: FileCheck %s < t_0.ll --implicit-check-not=specialization_scalar
; RUN: FileCheck %s < t_1.ll --check-prefix=SECOND --implicit-check-not=specialization_scalar
; RUN: grep -A8 "SYCL/specialization" t_0.prop | FileCheck %s --check-prefix=SETS --match-full-lines
; RUN: sed s/spirv64-unknown-unknown/nvptx64-nvidia-cuda/ %s > gpu.ll
; RUN: dovetail post-link -split=kernel -properties -S gpu.ll -o gpu.table
; RUN: FileCheck %s < gpu_0.ll --check-prefix=GPU --implicit-check-not=specialization_scalar
; Each image numbers the scalars that it reads. In SPIR-V they are instructions; in code for GPUs,
; loads from variables that the host can change.
target triple = "spirv64-unknown-unknown"

define spir_kernel void @k1(ptr addrspace(1) %p) {
; CHECK-LABEL: @k1
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 5)
; CHECK: call spir_func float @_Z20__spirv_SpecConstantif(i32 1, float 2.500000e+00)
; CHECK: call spir_func half @_Z20__spirv_SpecConstantiDh(i32 2, half 0xH3E00)
; GPU: @a = addrspace(4) externally_initialized constant [4 x i8] c"\05\00\00\00", align 16
; GPU: @b = addrspace(4) externally_initialized constant [16 x i8] c"\00\00\00\00\00\00 @\00>\00\00\00\00\00\00", align 16
; GPU: load i32, ptr addrspace(4) @a
; GPU: load float, ptr addrspace(4) getelementptr inbounds nuw (i8, ptr addrspace(4) @b, i64 4)
  %i = call spir_func i32 @__dovetail_specialization_scalar.a.0()
  %f = call spir_func float @__dovetail_specialization_scalar.b.4()
  %h = call spir_func half @__dovetail_specialization_scalar.b.8()
  %x = sitofp i32 %i to float
  %y = fpext half %h to float
  %s = fadd float %x, %f
  %t = fadd float %s, %y
  store float %t, ptr addrspace(1) %p
  ret void
}

define spir_kernel void @k2(ptr addrspace(1) %p) {
; SECOND-LABEL: @k2
; SECOND: call spir_func half @_Z20__spirv_SpecConstantiDh(i32 0, half 0xH3E00)
  %h = call spir_func half @__dovetail_specialization_scalar.b.8()
  store half %h, ptr addrspace(1) %p
  ret void
}

declare spir_func i32 @__dovetail_specialization_scalar.a.0() #0
declare spir_func float @__dovetail_specialization_scalar.b.4() #1
declare spir_func half @__dovetail_specialization_scalar.b.8() #2

attributes #0 = { nounwind willreturn memory(none) "dovetail-specialization-scalar"="0 4 i32 05000000" }
attributes #1 = { nounwind willreturn memory(none) "dovetail-specialization-scalar"="4 16 float 00002040" }
attributes #2 = { nounwind willreturn memory(none) "dovetail-specialization-scalar"="8 16 half 003e" }

; b has two scalars, and six bytes behind them.
;      SETS: [SYCL/specialization constants]
; SETS-NEXT: a=2|gBAAAAAAAAAAAAAAAAAAAQAAAAA
; SETS-NEXT: b=2|gEAAAAAAAAQAAAAAEAAAAQAAAAgAAAAAIAAAAIAAAAw/////KAAAAYAAAAA
; SETS-NEXT: [SYCL/specialization constants default values]
; SETS-NEXT: all=2|gCAAAAAAAAQBAAAAAAAAAAAAgAEA+AAAAAAAAA
