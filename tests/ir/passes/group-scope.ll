; RUN: dovetail opt -p group-scope %s | FileCheck %s
target triple = "spirv64-unknown-unknown"

; A variable whose address escapes lies in local memory, another one stays private.
; CHECK-DAG: @[[SHARED:[^ ]*escapes]] = internal addrspace(3) global [4 x i8] poison, align 4
; CHECK-DAG: @[[DECIDED:[^ ]*broadcast]] = internal addrspace(3) global [4 x i8] poison, align 4
; CHECK-NOT: @{{.*}}private

define spir_func void @scope(i1 %leader, ptr addrspace(1) %out, i32 %n) #0 {
; CHECK-LABEL: define spir_func void @scope(
; The frame has room for both allocations.
; CHECK: %frame = alloca [24 x i8], align 8
; Only the leader runs the code up to the branch, which it decides for all.
; CHECK: br i1 %leader, label %[[CODE:.*]], label %[[BRANCH:[^ ]+]]
; CHECK: [[CODE]]:
; CHECK: store i32 1, ptr addrspace(1) %out
; CHECK: store i32 %{{.*}}, ptr addrspace(3) @[[DECIDED]]
; CHECK: [[BRANCH]]:
; CHECK-NEXT: call spir_func void @__dovetail_groupBarrier()
; CHECK-NEXT: %[[LOADED:.*]] = load i32, ptr addrspace(3) @[[DECIDED]]
; CHECK-NEXT: call spir_func void @__dovetail_groupBarrier()
; CHECK-NEXT: trunc i32 %[[LOADED]] to i1
; CHECK-NEXT: br i1
; All make the call.
; CHECK: call spir_func void @__dovetail_groupBarrier()
; CHECK-NEXT: call spir_func void @items(ptr addrspace(4) %{{.*}}, ptr addrspace(4) addrspacecast (ptr addrspace(3) @[[SHARED]] to ptr addrspace(4)), i64 8)
; CHECK-NEXT: call spir_func void @__dovetail_groupBarrier()
; A loop without collective calls is the leader's as a whole.
; CHECK: br i1 %leader, label %loop, label %[[END:[^ ]+]]
; CHECK: loop:
; CHECK-NOT: call spir_func void @__dovetail_groupBarrier()
; CHECK: ret void
  %escapes = alloca i32, align 4
  %private = alloca i32, align 4
  %first = call spir_func i64 @__dovetail_allocatePrivate(i64 3, i64 1)
  %second = call spir_func i64 @__dovetail_allocatePrivate(i64 16, i64 8)
  %generic = addrspacecast ptr %escapes to ptr addrspace(4)
  call spir_func void @__dovetail_groupBarrier()
  store i32 1, ptr addrspace(1) %out
  store i32 %n, ptr %private
  %many = icmp sgt i32 %n, 3
  br i1 %many, label %parallel, label %loop

parallel:
  %frame.address = call spir_func ptr addrspace(4) @__dovetail_privateFrame()
  call spir_func void @helper(ptr addrspace(4) %frame.address, ptr addrspace(4) %generic, i64 %second)
  br label %loop

loop:
  %left = load i32, ptr %private
  %next = sub i32 %left, 1
  store i32 %next, ptr %private
  %again = icmp sgt i32 %next, 0
  br i1 %again, label %loop, label %end

end:
  store i64 %first, ptr addrspace(1) %out
  ret void
}

define internal spir_func void @helper(ptr addrspace(4) %frame, ptr addrspace(4) %shared, i64 %offset) {
  call spir_func void @items(ptr addrspace(4) %frame, ptr addrspace(4) %shared, i64 %offset)
  ret void
}

declare spir_func void @items(ptr addrspace(4), ptr addrspace(4), i64) #1
declare spir_func i64 @__dovetail_allocatePrivate(i64, i64)
declare spir_func ptr addrspace(4) @__dovetail_privateFrame()
define linkonce_odr spir_func void @__dovetail_groupBarrier() {
  ret void
}

attributes #0 = { "dovetail-work-group-scope"="true" }
attributes #1 = { "dovetail-collective"="true" }
