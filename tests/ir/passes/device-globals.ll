; RUN: dovetail opt -p device-globals %s | FileCheck %s
; Device globals are identified by their symbols. Internal ones get a unique name and become external,
; so that LLVM assumes other accesses.
target triple = "spirv64-unknown-unknown"

; CHECK: @shared = addrspace(1) global i32 0 #[[SHARED:[0-9]+]]
; CHECK: @inline = linkonce_odr addrspace(1) global i32 0 #[[INLINE:[0-9]+]]
; CHECK: @"_ZL3own$device_globals" = dso_local addrspace(1) global i32 0 #[[OWN:[0-9]+]]
; CHECK: @_ZL5other = internal addrspace(1) global i32 0
@shared = addrspace(1) global i32 0 #0
@inline = linkonce_odr addrspace(1) global i32 0 #0
@_ZL3own = internal addrspace(1) global i32 0 #0
@_ZL5other = internal addrspace(1) global i32 0

define spir_kernel void @k() {
; CHECK: store i32 1, ptr addrspace(1) @"_ZL3own$device_globals"
  store i32 1, ptr addrspace(1) @_ZL3own
  store i32 1, ptr addrspace(1) @_ZL5other
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" }
; CHECK: attributes #[[SHARED]] = { "sycl-device-global-size"="4" "sycl-unique-id"="shared" }
; CHECK: attributes #[[INLINE]] = { "sycl-device-global-size"="4" "sycl-unique-id"="inline" }
; CHECK: attributes #[[OWN]] = { "sycl-device-global-size"="4" "sycl-unique-id"="_ZL3own$device_globals" }
