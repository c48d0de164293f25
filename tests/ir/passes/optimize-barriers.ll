; The work-items with and without `first` reach each barrier by the same blocks in every iteration. LLVM would
; connect the branch on `first` before the loop, and the one at its end, with the one at its beginning.
; RUN: dovetail opt -p optimize %s | FileCheck %s

target triple = "spirv64-unknown-unknown"
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32) convergent nounwind
; CHECK-LABEL: @meets(
; CHECK: ask: {{.*}}preds = %guard{{$}}
; CHECK: meet: {{.*}}preds = %ask, %guard{{$}}
; CHECK: call spir_func void @_Z22__spirv_ControlBarrieriii(
; CHECK: guard2: {{.*}}preds = %meet{{$}}
; CHECK: call spir_func void @_Z22__spirv_ControlBarrieriii(
; CHECK-NOT: Fence
define spir_func void @meets(i1 %first, ptr addrspace(3) %more, ptr addrspace(1) %out) convergent nounwind {
  br i1 %first, label %start, label %guard
start:
  store i32 0, ptr addrspace(1) %out
  br label %guard
guard:
  br i1 %first, label %ask, label %meet
ask:
  %left = load i32, ptr addrspace(1) %out
  store i32 %left, ptr addrspace(3) %more
  br label %meet
meet:
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %some = load i32, ptr addrspace(3) %more
  %ends = icmp eq i32 %some, 7
  br i1 %ends, label %end, label %guard2
guard2:
  br i1 %first, label %work, label %meet2
work:
  %w = load i32, ptr addrspace(1) %out
  %w2 = mul i32 %w, %some
  store i32 %w2, ptr addrspace(3) %more
  br label %meet2
meet2:
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  br i1 %first, label %next, label %guard
next:
  %before = load i32, ptr addrspace(1) %out
  %after = add i32 %before, 1
  store i32 %after, ptr addrspace(1) %out
  br label %guard
end:
  ret void
}
