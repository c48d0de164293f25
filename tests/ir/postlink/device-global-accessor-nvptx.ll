; RUN: dovetail post-link -split=kernel -properties -device-globals -S %s -o t.table
; RUN: FileCheck %s < t_0.ll
; RUN: grep -H "" *.prop | FileCheck %s --check-prefix=SETS
; The accessor kernel of an image for NVIDIA's GPUs reads its id from registers, since the pass that
; defines built-in functions has run already.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @shared = internal addrspace(1) global { i64, i32 } zeroinitializer
; CHECK-DAG: @scoped = internal addrspace(1) global { i32 } { i32 7 }
;     CHECK: define ptx_kernel void @__dovetail_device_globals_of_k1(ptr addrspace(1) %memory, i32 %variable,
;     CHECK: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-NOT: __spirv_

; SETS: t_0.prop:[Dovetail/device globals]
; SETS-NEXT: t_0.prop:shared=
; SETS-NEXT: t_0.prop:scoped=
; SETS-NEXT: t_0.prop:[Dovetail/device global keeper]
; SETS-NEXT: t_0.prop:__dovetail_device_globals_of_k1=1|1

@shared = addrspace(1) global { i64, i32 } { i64 0, i32 5 } #0
@scoped = addrspace(1) global { i32 } { i32 7 } #1

define ptx_kernel void @k1() {
  %p = load i64, ptr addrspace(1) @shared
  store i64 %p, ptr addrspace(1) @scoped
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" "dovetail-device-global-stride"="16" }
attributes #1 = { "sycl-device-global-size"="4" "dovetail-device-global-stride"="4" "sycl-device-image-scope" }
