; RUN: dovetail post-link -split=auto -properties -S %s -o t.table
; RUN: FileCheck %s --check-prefix=MAIN < t_0.ll
; RUN: cat t_1.ll t_3.ll | FileCheck %s --check-prefix=REAL
; RUN: cat t_2.ll t_4.ll | FileCheck %s --check-prefix=STUB --implicit-check-not=call
; RUN: grep -H "|" *.prop | grep -v aspect | FileCheck %s --match-full-lines --check-prefix=SETS
; A function in an add-on has one condition. An action with two conditions, or that is also called
; unconditionally, has copies with unique names.

; MAIN-LABEL: define spir_kernel void @kernel(
; MAIN-NEXT:    call spir_func void @once()
; MAIN-NEXT:    call spir_func void @twice.2()
; MAIN-NEXT:    call spir_func void @twice.4()
; MAIN-NEXT:    call spir_func void @plainly.2()
; MAIN-NEXT:    call spir_func void @twice.4()
; MAIN-NEXT:    call spir_func void @plainly()
; MAIN-DAG:   declare spir_func void @once()
; MAIN-DAG:   declare spir_func void @twice.2()
; MAIN-DAG:   declare spir_func void @twice.4()
; MAIN-DAG:   declare spir_func void @plainly.2()
; MAIN-DAG:   define internal spir_func void @plainly()

; REAL: define spir_func void @once()
; REAL: define spir_func void @twice.2()
; REAL: define spir_func void @plainly.2()
; REAL: define spir_func void @twice.4()

; STUB: define spir_func void @once()
; STUB: define spir_func void @twice.2()
; STUB: define spir_func void @plainly.2()
; STUB: define spir_func void @twice.4()

; SETS:      t_0.prop:1=2|ABAAAAAAAAw/////GAAAAA
; SETS-NEXT: t_0.prop:2=2|ABAAAAAAAAw/////FAAAAA
; SETS-NEXT: t_0.prop:kernel=2|YLAAAAAAAAACAAAAEAAAA8////vBAAAAv52YlhAAAAwBAAAA/////bAAAAAd3l2Yl5iMIAAAAcAAAAw/////FAAAAQ3dpNWZuQDCAAAAJAAAA8////vBAAAAwxWYp5Gb55iM
; SETS-NEXT: t_1.prop:1=1|1
; SETS-NEXT: t_2.prop:1=1|0
; SETS-NEXT: t_3.prop:2=1|1
; SETS-NEXT: t_4.prop:2=1|0

define spir_kernel void @kernel() {
  call void @call_if_on_device_conditionally_G_2(ptr @once, i32 -1, i32 6)
  call void @call_if_on_device_conditionally_G_2(ptr @twice, i32 -1, i32 6)
  call void @call_if_on_device_conditionally_G_2(ptr @twice, i32 -1, i32 5)
  call void @call_if_on_device_conditionally_G_2(ptr @plainly, i32 -1, i32 6)
  call void @call_if_on_device_conditionally_G_3(ptr @twice, i32 -3, i32 -3, i32 -1, i32 5)
  call spir_func void @plainly()
  ret void
}
define spir_func void @once() { ret void }
define spir_func void @twice() { ret void }
define spir_func void @plainly() { ret void }
define spir_func void @twice.3() { ret void }

declare void @call_if_on_device_conditionally_G_1(ptr, i64, i32, i32) #0
declare void @call_if_on_device_conditionally_G_2(ptr, i32, i32) #0
declare void @call_if_on_device_conditionally_G_3(ptr, i32, i32, i32, i32) #0
attributes #0 = { convergent "sycl-call-if-on-device-conditionally" }
