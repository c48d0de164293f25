; RUN: dovetail opt -p inner-arguments --facts %p/inner-arguments-properties.json %s | FileCheck %s
; RUN: dovetail opt -p inner-arguments,optimize --facts %p/inner-arguments-properties.json %s | FileCheck %s --check-prefix=OPT
target triple = "spirv64-unknown-unknown"

%object = type { ptr addrspace(1), ptr addrspace(3), i64, ptr addrspace(4) }

; A pointer whose class has properties becomes a parameter, in the order of the facts.
; CHECK: define spir_kernel void @_ZTS4Name(ptr byval(%object) align 8 "my-object"="1" %o, ptr addrspace(1) "my-flag" %inner0, ptr addrspace(3) %inner1, ptr addrspace(1) "my-height"="3" %inner2)
; CHECK: store ptr addrspace(1) %inner0, ptr
; CHECK-NEXT: %[[GENERIC:[0-9]+]] = addrspacecast ptr addrspace(1) %inner2 to ptr addrspace(4)
; CHECK-NEXT: %[[PLACE:[0-9]+]] = getelementptr inbounds i8, ptr %o, i64 24
; CHECK-NEXT: store ptr addrspace(4) %[[GENERIC]], ptr %[[PLACE]]
; CHECK-NEXT: %[[LOCAL:[0-9]+]] = getelementptr inbounds i8, ptr %o, i64 8
; CHECK-NEXT: store ptr addrspace(3) %inner1, ptr %[[LOCAL]]
; OPT: define spir_kernel void @_ZTS4Name({{.*}}"my-flag" %inner0{{.*}}"my-height"="3" %inner2)
; OPT-NEXT: %[[READ:.*]] = load i32, ptr addrspace(1) %inner0
; OPT-NEXT: store i32 %[[READ]], ptr addrspace(1) %inner2
; OPT-NEXT: ret void
define spir_kernel void @_ZTS4Name(ptr byval(%object) align 8 %o) {
  %from = load ptr addrspace(1), ptr %o
  %place = getelementptr inbounds %object, ptr %o, i32 0, i32 3
  %to = load ptr addrspace(4), ptr %place
  %value = load i32, ptr addrspace(1) %from
  store i32 %value, ptr addrspace(4) %to
  ret void
}
