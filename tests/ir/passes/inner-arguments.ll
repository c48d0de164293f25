; RUN: dovetail opt -p inner-arguments --facts %p/inner-arguments.json %s | FileCheck %s
; RUN: dovetail opt -p inner-arguments,optimize --facts %p/inner-arguments.json %s | FileCheck %s --check-prefix=OPT
target triple = "spirv64-unknown-unknown"

%object = type { i32, ptr addrspace(3), i64, ptr addrspace(3) }

; The buffer at offset 16 is filled in before the launch and needs no argument.
; CHECK: define spir_kernel void @_ZTS4Name(ptr byval(%object) align 8 %o, ptr addrspace(3) %inner0, ptr addrspace(3) %inner1)
; CHECK-NEXT: %[[A:[0-9]+]] = getelementptr inbounds i8, ptr %o, i64 8
; CHECK-NEXT: store ptr addrspace(3) %inner0, ptr %[[A]]
; CHECK-NEXT: %[[B:[0-9]+]] = getelementptr inbounds i8, ptr %o, i64 24
; CHECK-NEXT: store ptr addrspace(3) %inner1, ptr %[[B]]
; OPT: define spir_kernel void @_ZTS4Name(
; OPT-NEXT: store i32 1, ptr addrspace(3) %inner1
; OPT-NEXT: ret void
define spir_kernel void @_ZTS4Name(ptr byval(%object) align 8 %o) {
  %place = getelementptr inbounds %object, ptr %o, i32 0, i32 3
  %memory = load ptr addrspace(3), ptr %place
  store i32 1, ptr addrspace(3) %memory
  ret void
}
