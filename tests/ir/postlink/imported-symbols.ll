; RUN: dovetail post-link -split=kernel -properties -emit-imported-symbols %s -o t.table
; RUN: sed -n '/imported/,$p' t_0.prop | FileCheck %s --match-full-lines
; RUN: not grep imported t_1.prop
; Images list the functions that they call and another program must define: no intrinsics, no
; functions that compilers define, and no functions that this image does not call.

;      CHECK: [SYCL/imported symbols]
; CHECK-NEXT: _Z6importv=1|1
; CHECK-NEXT: behind=1|1
;  CHECK-NOT: {{.}}

define spir_kernel void @k1() {
  call void @_Z6importv()
  call void @helper()
  call void @__spirv_ControlBarrier()
  call void @_Z22__spirv_GroupBroadcastv()
  call void @llvm.assume(i1 true)
  ret void
}

define spir_kernel void @k2() {
  call void @llvm.assume(i1 true)
  ret void
}

define void @helper() {
  call void @behind()
  ret void
}

declare void @_Z6importv()
declare void @behind()
declare void @uncalled()
declare void @__spirv_ControlBarrier()
declare void @_Z22__spirv_GroupBroadcastv()
declare void @llvm.assume(i1)
