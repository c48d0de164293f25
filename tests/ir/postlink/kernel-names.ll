; RUN: dovetail post-link -split=auto -properties -emit-kernel-names %s -o t.table
; RUN: sed -n '/kernel names/,$p' t_0.prop | FileCheck %s --match-full-lines
; Images list their kernels, for every family of device code, and no other entry points.

;      CHECK: [SYCL/kernel names]
; CHECK-NEXT: _ZTS1K=1|1
; CHECK-NEXT: of_nvidia=1|1
; CHECK-NEXT: of_amd=1|1
;  CHECK-NOT: {{.}}

define spir_kernel void @_ZTS1K() #0 {
  ret void
}

define void @exported() #0 {
  ret void
}

define ptx_kernel void @of_nvidia() #0 {
  ret void
}

define amdgpu_kernel void @of_amd() #0 {
  ret void
}

attributes #0 = { "sycl-module-id"="a.cpp" }
