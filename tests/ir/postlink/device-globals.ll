; RUN: dovetail post-link -split=kernel -properties -device-globals -emit-program-metadata -S %s -o t.table
; RUN: grep -H "" *.prop | FileCheck %s --match-full-lines
; RUN: grep -H global t_*.ll | FileCheck %s --check-prefix=CODE --implicit-check-not=@
; Images list size, scope and symbol of their device globals by identifier, and the variables keep
; their symbols. The symbol is the default identifier.

;      CHECK: t_0.prop:[SYCL/device globals]
; Four bytes, of program scope.
; CHECK-NEXT: t_0.prop:id of g=2|ABAAAAAAAAABAAAAAAAAAA
; CHECK-NEXT: t_0.prop:[SYCL/program metadata]
; CHECK-NEXT: t_0.prop:id of g@global_id_mapping=2|IAAAAAAAAAwZ
;  CHECK-NOT: t_0
;      CHECK: t_1.prop:[SYCL/device globals]
; Eight bytes, of the image.
; CHECK-NEXT: t_1.prop:h=2|ABAAAAAAAAACAAAABAAAAA
; CHECK-NEXT: t_1.prop:[SYCL/program metadata]
; CHECK-NEXT: t_1.prop:h@global_id_mapping=2|IAAAAAAAAAAa
;  CHECK-NOT: {{.}}

; CODE: t_0.ll:@g = addrspace(1) global i32 0 #
; CODE: t_1.ll:@h = addrspace(1) global i64 0 #
; CODE: t_1.ll:@plain = internal addrspace(1) global i32 0

@g = addrspace(1) global i32 0 #0
@h = addrspace(1) global i64 0 #1
@plain = addrspace(1) global i32 0

define spir_kernel void @k1() {
  store i32 1, ptr addrspace(1) @g
  ret void
}

define spir_kernel void @k2() {
  store i64 1, ptr addrspace(1) @h
  store i32 1, ptr addrspace(1) @plain
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" "sycl-unique-id"="id of g" }
attributes #1 = { "sycl-device-global-size"="8" "sycl-device-image-scope"="true" }
