; RUN: not dovetail post-link -split=kernel %s -o t.table 2>&1 | FileCheck %s
; RUN: not ls t*
; RUN: dovetail post-link -split=off -S %s -o t.table
; RUN: grep -c 'define spir_kernel' t_0.ll | FileCheck %s --check-prefix=COUNT
; Kernels of two images cannot share a variable of image scope.

;      CHECK: image-scope.ll: error: device global 'g' has the property device_image_scope,
; CHECK-SAME: but 'k1()' and 'k2()', which both use it, are in different images
; CHECK-NEXT: dovetail: remove the property, {{.*}}-split=off
; COUNT: 2

@g = addrspace(1) global i32 0 #0

define spir_kernel void @_Z2k1v() {
  store i32 1, ptr addrspace(1) @g
  ret void
}

define spir_kernel void @_Z2k2v() {
  call void @helper()
  ret void
}

define void @helper() {
  store i32 2, ptr addrspace(1) @g
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" "sycl-device-image-scope"="true" }
