; RUN: dovetail opt -p inner-arguments --facts %p/inner-arguments.json %s | FileCheck %s
; RUN: dovetail opt -p inner-arguments,optimize --facts %p/inner-arguments.json %s | FileCheck %s --check-prefix=OPT
target triple = "nvptx64-nvidia-cuda"

%object = type { i32, ptr addrspace(3), i64, ptr addrspace(3) }

; A launch has one array in local memory, and arguments are offsets into it.
; CHECK: @__dovetail_local_memory = external addrspace(3) global [0 x i8], align 128
; CHECK: define ptx_kernel void @_ZTS4Name(ptr byval(%object) align 8 %o, i32 %inner0, i32 %inner1)
; CHECK-NEXT: %[[VALUE:[0-9]+]] = getelementptr inbounds i8, ptr addrspace(3) @__dovetail_local_memory, i32 %inner0
; CHECK-NEXT: %[[A:[0-9]+]] = getelementptr inbounds i8, ptr %o, i64 8
; CHECK-NEXT: store ptr addrspace(3) %[[VALUE]], ptr %[[A]]
; CHECK: getelementptr inbounds i8, ptr %o, i64 24
; OPT: define ptx_kernel void @_ZTS4Name(
; OPT: getelementptr {{.*}}@__dovetail_local_memory
; OPT-NEXT: store i32 1, ptr addrspace(3)
; OPT-NEXT: ret void
define ptx_kernel void @_ZTS4Name(ptr byval(%object) align 8 %o) {
  %place = getelementptr inbounds %object, ptr %o, i32 0, i32 3
  %memory = load ptr addrspace(3), ptr %place
  store i32 1, ptr addrspace(3) %memory
  ret void
}
