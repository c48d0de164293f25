; RUN: dovetail post-link -split=kernel -S %s -o t.table
; RUN: grep -H define t_*.ll | FileCheck %s --implicit-check-not=define
; Exported inline functions are linkonce_odr, because other programs may define them too.

; CHECK: t_0.ll:define spir_kernel void @k()
; CHECK: t_0.ll:define internal void @inline()
; CHECK: t_1.ll:define linkonce_odr void @inline()

define spir_kernel void @k() #0 {
  call void @inline()
  ret void
}

define linkonce_odr void @inline() #0 {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
