; RUN: dovetail opt -p built-ins %s | FileCheck %s
; RUN: dovetail opt -p built-ins,optimize %s | FileCheck %s --check-prefix=OPT
target triple = "nvptx64-nvidia-cuda"

; Math functions and other declarations are not defined.
; CHECK-DAG: declare float @_Z15__spirv_ocl_sinf(float)
; CHECK-DAG: declare i32 @_Z5otheri(i32)
; CHECK-DAG: define internal i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 %dimension) #[[INLINE:[0-9]+]]
; CHECK-DAG: define internal void @_Z22__spirv_ControlBarrieriii({{.*}}) #[[CONVERGENT:[0-9]+]]
; CHECK-DAG: attributes #[[INLINE]] = { alwaysinline nounwind }
; CHECK-DAG: attributes #[[CONVERGENT]] = { alwaysinline convergent nounwind }
declare i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32)
declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare float @_Z15__spirv_ocl_sinf(float)
declare i32 @_Z5otheri(i32)

; They and their helpers are inlined and removed.
; OPT-NOT: @dovetail.
; OPT: define ptx_kernel void @k(
; OPT: call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; OPT: mul nuw nsw i64
; OPT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; OPT-NOT: fence
; OPT-NOT: @dovetail.
define ptx_kernel void @k(ptr addrspace(1) %out, float %x) {
  %id = call i64 @_Z33__spirv_BuiltInGlobalInvocationIdi(i32 0)
  %place = getelementptr float, ptr addrspace(1) %out, i64 %id
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %sine = call float @_Z15__spirv_ocl_sinf(float %x)
  store float %sine, ptr addrspace(1) %place
  ret void
}
