; RUN: dovetail post-link -split=kernel -properties -device-globals -S %s -o t.table
; RUN: FileCheck %s < t_0.ll
; RUN: FileCheck %s --check-prefix=SECOND < t_1.ll
; RUN: grep -H "" *.prop | FileCheck %s --check-prefix=SETS
; RUN: dovetail post-link -split=kernel -S %s -o u.table && cat u_*.ll | FileCheck %s --check-prefix=PLAIN
; An image with device globals of Dovetail's headers has an accessor kernel, which identifies them by
; number. Pointers, which the runtime sets, are initialised to null; values in the image are kept.
target datalayout = "e-i64:64-G1"
target triple = "spirv64-unknown-unknown"

; CHECK-DAG: @shared = internal addrspace(1) global { i64, i32 } zeroinitializer #
; CHECK-DAG: @scoped = internal addrspace(1) global { i32 } { i32 7 }
;     CHECK: define spir_kernel void @__dovetail_device_globals_of_k1(ptr addrspace(1) %memory, i32 %variable,
;     CHECK: ptrtoint ptr addrspace(1) @shared to i64
;     CHECK: ptrtoint ptr addrspace(1) @scoped to i64

; SECOND-DAG: @shared = internal addrspace(1) global { i64, i32 } zeroinitializer #
; SECOND-DAG: @array = internal addrspace(1) global [2 x { i64, i16 }] zeroinitializer #
;     SECOND: define spir_kernel void @__dovetail_device_globals_of_k2(

; SETS: t_0.prop:[Dovetail/device globals]
; SETS-NEXT: t_0.prop:shared=
; SETS-NEXT: t_0.prop:scoped=
; SETS-NEXT: t_0.prop:unused=
; SETS-NEXT: t_0.prop:[Dovetail/device global keeper]
; SETS-NEXT: t_0.prop:__dovetail_device_globals_of_k1=1|1
; SETS: t_1.prop:[Dovetail/device globals]
; SETS-NEXT: t_1.prop:shared=
; SETS-NEXT: t_1.prop:array=
; SETS-NEXT: t_1.prop:[Dovetail/device global keeper]

; PLAIN-NOT: device_globals_of
; PLAIN: @shared = addrspace(1) global { i64, i32 } { i64 0, i32 5 }

@shared = addrspace(1) global { i64, i32 } { i64 0, i32 5 } #0
@scoped = addrspace(1) global { i32 } { i32 7 } #1
@array = addrspace(1) global [2 x { i64, i16 }] zeroinitializer #2
@unused = addrspace(1) global { i64, i32 } { i64 0, i32 9 } #0
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @shared to ptr), ptr addrspacecast (ptr addrspace(1) @unused to ptr)], section "llvm.metadata"

define spir_kernel void @k1() {
  %p = load i64, ptr addrspace(1) @shared
  store i64 %p, ptr addrspace(1) @scoped
  ret void
}

define spir_kernel void @k2() {
  %p = load i64, ptr addrspace(1) @shared
  %q = load i64, ptr addrspace(1) @array
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" "dovetail-device-global-stride"="16" }
attributes #1 = { "sycl-device-global-size"="4" "dovetail-device-global-stride"="4" "sycl-device-image-scope" }
attributes #2 = { "sycl-device-global-size"="2" "dovetail-device-global-stride"="16" }
