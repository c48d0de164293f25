; RUN: dovetail opt -p local-memory %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; All group algorithms share one array.
; CHECK: @__dovetail_group_scratch = linkonce_odr addrspace(3) global [64 x i64] poison, align 8
; CHECK-NOT: __dovetail_groupScratch
; CHECK: store i64 1, ptr addrspace(3) @__dovetail_group_scratch
; CHECK: store i64 2, ptr addrspace(3) @__dovetail_group_scratch
; CHECK-NOT: __dovetail_groupScratch
define ptx_kernel void @k() {
  %a = call ptr addrspace(3) @_Z23__dovetail_groupScratchv()
  store i64 1, ptr addrspace(3) %a
  %b = call ptr addrspace(3) @_Z23__dovetail_groupScratchv()
  store i64 2, ptr addrspace(3) %b
  ret void
}

declare ptr addrspace(3) @_Z23__dovetail_groupScratchv()
