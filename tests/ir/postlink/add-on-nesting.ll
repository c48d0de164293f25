; RUN: dovetail post-link -split=auto -properties -S %s -o t.table
; RUN: cat t_0.ll t_1.ll t_3.ll t_5.ll | FileCheck %s --implicit-check-not=call_if
; RUN: grep -H "|" *.prop | grep -v aspect | FileCheck %s --match-full-lines --check-prefix=SETS
; Real add-ons can need add-ons, nested three deep here; an outer one does not have the condition of
; an inner one. Stubs need no add-ons.

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-NEXT:    call spir_func void @one()
; CHECK:       declare spir_func void @one()
; CHECK-LABEL: define spir_func void @one(
; CHECK-NEXT:    call spir_func void @two()
; CHECK:       declare spir_func void @two()
; CHECK-LABEL: define spir_func void @two(
; CHECK-NEXT:    call spir_func void @between()
; CHECK:       define internal spir_func void @between()
; CHECK-NEXT:    call spir_func void @three()
; CHECK:       declare spir_func void @three()
; CHECK-LABEL: define spir_func void @three(

; SETS:      t_0.prop:1=2|ABAAAAAAAAw/////GAAAAA
; SETS-NEXT: t_0.prop:kernel=2|YCAAAAAAAAACAAAADAAAA8////vBAAAAv5WZ
; SETS-NEXT: t_1.prop:2=2|ABAAAAAAAAw/////FAAAAA
; SETS-NEXT: t_1.prop:one=2|YCAAAAAAAAACAAAADAAAA8////fBAAAA0d3b
; SETS-NEXT: t_1.prop:1=1|1
; SETS-NEXT: t_2.prop:1=1|0
; SETS-NEXT: t_3.prop:3=2|ABAAAAAAAAw/////BAAAAA
; SETS-NEXT: t_3.prop:two=2|oCAAAAAAAAACAAAAFAAAA8////fAAAAA0hmclVG
; SETS-NEXT: t_3.prop:2=1|1
; SETS-NEXT: t_4.prop:2=1|0
; SETS-NEXT: t_5.prop:3=1|1
; SETS-NEXT: t_6.prop:3=1|0

define spir_kernel void @kernel() {
  call void @call_if_on_device_conditionally_G_2(ptr @one, i32 -1, i32 6)
  ret void
}
define spir_func void @one() {
  call void @call_if_on_device_conditionally_G_2(ptr @two, i32 -1, i32 5)
  ret void
}
define spir_func void @two() {
  call spir_func void @between()
  ret void
}
define spir_func void @between() {
  call void @call_if_on_device_conditionally_G_2(ptr @three, i32 -1, i32 1)
  ret void
}
define spir_func void @three() { ret void }

declare void @call_if_on_device_conditionally_G_1(ptr, i64, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_3(ptr, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
