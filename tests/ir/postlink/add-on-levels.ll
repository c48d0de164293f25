; RUN: dovetail post-link -split=auto -properties -symbols -S %s -o t.table
; RUN: grep -h -A1 "misc properties\|add on image\]" *.prop | FileCheck %s --match-full-lines
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --check-prefix=SYMBOLS --implicit-check-not=sym:
; Add-ons have the optimisation level of their actions, as main images that of their kernels; actions
; of different levels do not share an add-on.

;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|2
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|2
;      CHECK: [SYCL/add on image]
; CHECK-NEXT: 1=1|1
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|2
;      CHECK: [SYCL/add on image]
; CHECK-NEXT: 1=1|0
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|0
;      CHECK: [SYCL/add on image]
; CHECK-NEXT: 2=1|1
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: optLevel=1|0
;      CHECK: [SYCL/add on image]
; CHECK-NEXT: 2=1|0

; SYMBOLS: t_0.sym:kernel
; SYMBOLS: t_1.sym:fast
; SYMBOLS: t_2.sym:fast
; SYMBOLS: t_3.sym:slow
; SYMBOLS: t_4.sym:slow

define spir_kernel void @kernel() "sycl-optlevel"="2" {
  call void @call_if_on_device_conditionally_G_1(ptr @fast, i32 -1, i32 6)
  call void @call_if_on_device_conditionally_G_2(ptr @slow, i32 -1, i32 6)
  ret void
}
define spir_func void @fast() "sycl-optlevel"="2" {
  ret void
}
define spir_func void @slow() "sycl-optlevel"="0" {
  ret void
}

declare void @call_if_on_device_conditionally_G_1(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
