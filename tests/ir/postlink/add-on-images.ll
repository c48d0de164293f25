; RUN: dovetail post-link -split=auto -properties -symbols -emit-exported-symbols -emit-kernel-names -S %s -o t.table
; RUN: FileCheck %s --check-prefix=MAIN --implicit-check-not=call_if < t_0.ll
; RUN: FileCheck %s --check-prefix=REAL < t_1.ll
; RUN: FileCheck %s --check-prefix=STUB --implicit-check-not=@helper < t_2.ll
; RUN: grep -H "" *.prop | FileCheck %s --match-full-lines --check-prefix=SETS
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --check-prefix=SYMBOLS --implicit-check-not=sym:
; A conditionally called action is in a pair of images: one has the action, the other an empty
; function. Only the first requires the aspects of the action.

; MAIN-LABEL: define spir_kernel void @kernel(
; MAIN:         call spir_func void @action(i64 7)
; MAIN:       declare spir_func void @action(i64)

; REAL-LABEL: define spir_func void @action(i64 %0) !sycl_used_aspects
; REAL:         call spir_func void @helper()
; REAL:       define internal spir_func void @helper()

; STUB-LABEL: define spir_func void @action(i64 %0) {
; STUB-NEXT:  entry:
; STUB-NEXT:    ret void
; STUB-NEXT:  }

; SETS:      t_0.prop:[SYCL/device requirements]
; SETS-NEXT: t_0.prop:aspects=2|AAAAAAAAAAA
; SETS-NEXT: t_0.prop:[SYCL/kernel names]
; SETS-NEXT: t_0.prop:kernel=1|1
; SETS-NEXT: t_0.prop:[SYCL/add on images]
; SETS-NEXT: t_0.prop:1=2|ABAAAAAAAAw/////GAAAAA
; SETS-NEXT: t_0.prop:[Dovetail/conditional calls]
; SETS-NEXT: t_0.prop:kernel=2|wCAAAAAAAAACAAAAGAAAA8////vBAAAAhNGdp9mb
; SETS-NEXT: t_1.prop:[SYCL/device requirements]
; SETS-NEXT: t_1.prop:aspects=2|gAAAAAAAAAgBAAAA
; SETS-NEXT: t_1.prop:[SYCL/image-requirements]
; SETS-NEXT: t_1.prop:aspect=2|gAAAAAAAAAgBAAAA
; SETS-NEXT: t_1.prop:[SYCL/exported symbols]
; SETS-NEXT: t_1.prop:action=1|1
; SETS-NEXT: t_1.prop:[SYCL/add on image]
; SETS-NEXT: t_1.prop:1=1|1
; SETS-NEXT: t_2.prop:[SYCL/device requirements]
; SETS-NEXT: t_2.prop:aspects=2|AAAAAAAAAAA
; SETS-NEXT: t_2.prop:[SYCL/exported symbols]
; SETS-NEXT: t_2.prop:action=1|1
; SETS-NEXT: t_2.prop:[SYCL/add on image]
; SETS-NEXT: t_2.prop:1=1|0

; SYMBOLS: t_0.sym:kernel
; SYMBOLS: t_1.sym:action
; SYMBOLS: t_2.sym:action

define spir_kernel void @kernel() {
  call void @call_if_on_device_conditionally_G_1(ptr @action, i64 7, i32 -1, i32 6)
  ret void
}
define spir_func void @action(i64 %0) {
  call spir_func void @helper()
  ret void
}
define spir_func void @helper() !sycl_used_aspects !0 {
  ret void
}
!0 = !{i32 6}

declare void @call_if_on_device_conditionally_G_1(ptr, i64, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_3(ptr, i32, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
