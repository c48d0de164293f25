; RUN: dovetail opt -p built-ins,optimize %s | FileCheck %s
target triple = "amdgcn-amd-amdhsa"

declare i64 @_Z25__spirv_BuiltInGlobalSizei(i32)
declare i32 @_Z25__spirv_BuiltInSubgroupIdv()
declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare i32 @_Z18__spirv_AtomicIAddPjiij(ptr, i32, i32, i32)

; The hidden arguments begin with the group counts; group sizes are at offset 12.
; CHECK: define amdgpu_kernel void @k(
; CHECK: %[[ARGUMENTS:.+]] = tail call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
; CHECK-DAG: getelementptr inbounds nuw i8, ptr addrspace(4) %[[ARGUMENTS]], i64 8
; CHECK-DAG: getelementptr inbounds nuw i8, ptr addrspace(4) %[[ARGUMENTS]], i64 16
; CHECK: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; The wave size depends on the processor.
; CHECK: call i32 @llvm.amdgcn.wavefrontsize()
; CHECK: lshr
; CHECK: atomicrmw add ptr addrspace(1) {{.*}} syncscope("agent") acq_rel
; CHECK-NOT: @dovetail.
define amdgpu_kernel void @k(ptr %out, ptr %word) {
  %size = call i64 @_Z25__spirv_BuiltInGlobalSizei(i32 2)
  store i64 %size, ptr %out
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %id = call i32 @_Z25__spirv_BuiltInSubgroupIdv()
  %old = call i32 @_Z18__spirv_AtomicIAddPjiij(ptr %word, i32 1, i32 776, i32 %id)
  store i32 %old, ptr %out
  ret void
}
