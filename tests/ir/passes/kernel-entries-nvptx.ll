; RUN: dovetail opt -p kernel-entries %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; Pointers stay generic: the back-end infers that pointer arguments of kernels are global.
; CHECK: define void @scale(ptr %out, i1 zeroext %flag, float %by)
; CHECK: define ptx_kernel void @__sycl_kernel_scale(ptr {{.*}}, i8 {{.*}}, float {{.*}})
; CHECK: icmp ne i8
; CHECK: call void @scale(
define void @scale(ptr %out, i1 zeroext %flag, float %by) #0 {
  ret void
}

; CHECK: define ptx_kernel void @__sycl_kernel_once(ptr {{.*}}byval(%pair) align 4
%pair = type { i32, float }
define void @once(ptr byval(%pair) align 4 %p) #1 {
  ret void
}

attributes #0 = { "sycl-nd-range-kernel"="1" }
attributes #1 = { "sycl-single-task-kernel" }
