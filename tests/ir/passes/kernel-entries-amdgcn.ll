; RUN: dovetail opt -p kernel-entries %s | FileCheck %s
; RUN: sed 's/__sycl_kernel_hidden(/other(/' %s > %t
; RUN: not dovetail opt -p kernel-entries %t 2>&1 | FileCheck %s --check-prefix=NONE
target triple = "amdgcn-amd-amdhsa"

; The front-end generates the entry points, and the pass gives them unique names.
; CHECK: define amdgpu_kernel void @"__sycl_kernel_hidden$12ab"()
; CHECK: define weak_odr amdgpu_kernel void @__sycl_kernel_generic()
; NONE: in pass 'kernel-entries': kernel 'hidden' has no entry point, which the front-end generates
define internal void @hidden() #0 {
  ret void
}
define amdgpu_kernel void @__sycl_kernel_hidden() {
  ret void
}
define linkonce_odr void @generic() #1 {
  ret void
}
define amdgpu_kernel void @__sycl_kernel_generic() {
  ret void
}

attributes #0 = { "sycl-single-task-kernel" "dovetail-entry"="__sycl_kernel_hidden$12ab" }
attributes #1 = { "sycl-single-task-kernel" }
