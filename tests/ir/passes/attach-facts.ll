; RUN: dovetail opt -p attach-facts --facts %p/attach-facts.json %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; Variables that the host may use are kept unchanged.
; CHECK: @height = internal addrspace(1) global i32 0 #[[VARIABLE:[0-9]+]]
@height = internal addrspace(1) global i32 0
; CHECK: @elsewhere = external addrspace(1) global i32 #[[DECLARED:[0-9]+]]
@elsewhere = external addrspace(1) global i32
; CHECK: @llvm.compiler.used = {{.*}}[1 x ptr] [ptr addrspacecast (ptr addrspace(1) @height to ptr)]

; CHECK: define internal void @__dovetail_variables()
define void @__dovetail_variables() {
  ret void
}

; CHECK: define spir_func void @iota(float %0) #[[PROPERTIES:[0-9]+]]
define spir_func void @iota(float %0) {
  ret void
}

; CHECK: define spir_func void @other() #[[OTHER:[0-9]+]]
define spir_func void @other() {
  ret void
}

; CHECK: attributes #[[VARIABLE]] = { "my-flag" "my-height"="3" }
; CHECK: attributes #[[DECLARED]] = { "my-height"="4" }
; CHECK: attributes #[[PROPERTIES]] = { "dovetail-entry"="__sycl_kernel_iota" "sycl-nd-range-kernel"="2" "user-property"="x" }
; CHECK: attributes #[[OTHER]] = { "of-any-function"="true" }
; CHECK-NOT: left_out
; CHECK: !sycl_properties = !{![[A:[0-9]+]], ![[B:[0-9]+]], ![[C:[0-9]+]], ![[D:[0-9]+]], ![[E:[0-9]+]], ![[F:[0-9]+]]}
; CHECK: ![[A]] = !{!"of-any-function"}
; CHECK: ![[B]] = !{!"sycl-nd-range-kernel"}
; CHECK: ![[C]] = !{!"user-property"}
; CHECK: ![[D]] = !{!"my-height"}
; CHECK: ![[E]] = !{!"my-flag"}
; CHECK: ![[F]] = !{!"my-width"}
