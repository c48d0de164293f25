; RUN: dovetail post-link -split=auto -properties -S %s -o t.table
; RUN: FileCheck %s --input-file=t_0.prop --check-prefix=SETS
; RUN: FileCheck %s --input-file=t_0.ll --implicit-check-not=@other
; A call through a pointer may reach a function whose address is taken elsewhere.

; SETS: aspects=2|gAAAAAAAAAgBAAAA

; CHECK: define spir_kernel void @k(
; CHECK: define internal spir_func void @target(i32 %n)

define spir_kernel void @k(ptr %function) {
  call spir_func void %function(i32 1)
  ret void
}

define linkonce_odr spir_func void @target(i32 %n) "referenced-indirectly" !sycl_used_aspects !6 {
  ret void
}

define spir_func void @other(i32 %n) {
  ret void
}

!6 = !{i32 6}
