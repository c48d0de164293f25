; RUN: d=$(mktemp -d) && trap 'rm -r $d' EXIT && dovetail post-link -split=auto -S %s -out-dir $d > $d/table && cat $d/*.ll | FileCheck %s
; Images contain only what their entry points need; other functions are internal.

; CHECK: ModuleID
; CHECK-NOT: @double
; CHECK-NOT: unused
; CHECK-DAG: @for_both = internal constant i32 7
; CHECK-DAG: @device_global = {{(dso_local )?}}addrspace(1) global i32 0 #{{[0-9]+$}}
; CHECK-DAG: define {{(dso_local )?}}spir_kernel void @plain()
; CHECK-DAG: define internal void @shared() {
; CHECK-DAG: define internal void @exported()
; CHECK-DAG: declare void @import()
; CHECK-NOT: comdat
; CHECK: !named = !{![[NODE:[0-9]+]]}
; CHECK-NOT: sycl_kernel_list
; CHECK-NOT: dovetail.notes
; CHECK: ![[NODE]] = !{!"of a compiler"}

; CHECK: ModuleID
; CHECK-NOT: @plain
; CHECK-NOT: @import
; CHECK-NOT: @exported
; CHECK-NOT: @device_global
; CHECK: @for_both = internal constant i32 7
; CHECK: define {{(dso_local )?}}spir_kernel void @double() #{{[0-9]+}} !sycl_used_aspects
; CHECK: define internal void @shared()
; CHECK-NOT: {{define|declare}}

; CHECK: ModuleID
; CHECK-NOT: @for_both
; CHECK: define {{(dso_local )?}}void @exported()
; CHECK-NOT: {{define|declare}}

@for_both = constant i32 7
@device_global = addrspace(1) global i32 0 #0
@unused_variable = global i32 0

define spir_kernel void @plain() #2 {
  call void @shared()
  call void @import()
  call void @exported()
  store i32 1, ptr addrspace(1) @device_global
  ret void
}

define spir_kernel void @double() #2 !sycl_used_aspects !0 {
  call void @shared()
  ret void
}

define linkonce_odr void @shared() comdat {
  %value = load i32, ptr @for_both
  ret void
}

define void @exported() #1 {
  ret void
}

define void @unused() {
  call void @shared()
  ret void
}

declare void @import()

$shared = comdat any

attributes #0 = { "sycl-device-global-size"="4" }
attributes #1 = { "sycl-module-id"="b.cpp" }
attributes #2 = { "sycl-module-id"="a.cpp" }

!named = !{!1}
!sycl_kernel_list = !{!1}
!dovetail.notes = !{!1}
!0 = !{i32 6}
!1 = !{!"of a compiler"}
