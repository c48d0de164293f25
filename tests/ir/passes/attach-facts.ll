; RUN: dovetail opt -p attach-facts --facts %p/attach-facts.json %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; CHECK: define spir_func void @iota(float %0) #[[PROPERTIES:[0-9]+]]
define spir_func void @iota(float %0) {
  ret void
}

; CHECK: define spir_func void @other() #[[OTHER:[0-9]+]]
define spir_func void @other() {
  ret void
}

; CHECK: attributes #[[PROPERTIES]] = { "dovetail-entry"="__sycl_kernel_iota" "sycl-nd-range-kernel"="2" "user-property"="x" }
; CHECK: attributes #[[OTHER]] = { "of-any-function"="true" }
; CHECK-NOT: left_out
