; RUN: dovetail opt -p conditional-callers %s | FileCheck %s
; RUN: dovetail opt -p 'conditional-callers,optimize{level=3}' %s | FileCheck %s --check-prefix=OPT
; RUN: dovetail opt -p 'conditional-callers{resolve=intel_gpu_pvc}' %s | FileCheck %s --check-prefix=EARLY
; RUN: dovetail opt -p 'conditional-callers{resolve=intel_gpu_acm_g10}' %s | FileCheck %s --check-prefix=GONE --implicit-check-not=call_if_on_device_conditionally
target triple = "spirv64-unknown-unknown"

%object = type { ptr addrspace(4), i32 }

; The body of the conditional caller is inlined: the copy of the object, and the call of the action,
; in which the action is the first argument and the condition the last ones.
; CHECK-LABEL: define spir_kernel void @k(
; CHECK: %[[COPY:.*]] = alloca %object, align 8
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 %[[COPY]], ptr align 8 %object,
; CHECK: %[[THIS:.*]] = addrspacecast ptr %[[COPY]] to ptr addrspace(4)
; CHECK: call spir_func void @call_if_on_device_conditionally_conditional_callers_1(ptr @action, ptr addrspace(4) noundef align 8 %[[THIS]], i32 -1, i32 6)
; CHECK-NOT: @caller
; Both calls remain after optimisation, with constant conditions.
; OPT-LABEL: define spir_kernel void @k(
; OPT: call spir_func void @call_if_on_device_conditionally_conditional_callers_1({{.*}}, i32 -1, i32 6)
; For a target with fp64, the call is direct.
; EARLY-LABEL: define spir_kernel void @k(
; EARLY: call spir_func void @action(ptr addrspace(4) noundef align 8
; EARLY-NOT: @call_if_on_device_conditionally
; For a target without it, the object is copied and nothing is called.
; GONE-LABEL: define spir_kernel void @k(
; GONE: call void @llvm.memcpy
; GONE-NOT: @action
; GONE: ret void
; GONE-LABEL: define spir_kernel void @branches(
; GONE-NOT: @action
; GONE: {{^}}other:
; GONE: call spir_func void @action(
; GONE-LABEL: define spir_kernel void @normal(
; GONE-NEXT: ret void
define spir_kernel void @k(ptr byval(%object) align 8 %object) {
  call spir_func void @caller(ptr byval(%object) align 8 %object, i32 -1, i32 6)
  ret void
}

; Two functions for two conditions: calls of one function would be merged, with a selected condition.
; CHECK-LABEL: define spir_kernel void @branches(
; CHECK: call {{.*}}@call_if_on_device_conditionally_conditional_callers_1({{.*}}, i32 -1, i32 6)
; CHECK: call {{.*}}@call_if_on_device_conditionally_conditional_callers_2({{.*}}, i32 -1, i32 5)
; OPT-LABEL: define spir_kernel void @branches(
; OPT: call {{.*}}, i32 -1, i32 6)
; OPT: call {{.*}}, i32 -1, i32 5)
; OPT-NOT: select
define spir_kernel void @branches(ptr byval(%object) align 8 %object, i1 %which) {
  br i1 %which, label %one, label %other
one:
  call spir_func void @caller(ptr byval(%object) align 8 %object, i32 -1, i32 6)
  br label %end
other:
  call spir_func void @caller(ptr byval(%object) align 8 %object, i32 -1, i32 5)
  br label %end
end:
  ret void
}

; Conditions are normalized, here fp64 and fp16 in another order, so that equivalent calls are equal.
; An internal action becomes external, with a unique name.
; CHECK-LABEL: define spir_kernel void @normal(
; CHECK: call spir_func void @[[NORMAL:call_if_on_device_conditionally_conditional_callers_3]](ptr @"hidden$conditional_callers", i32 -4, i32 -1, i32 5, i32 -1, i32 6)
; CHECK: call spir_func void @[[NORMAL]](ptr @"hidden$conditional_callers", i32 -4, i32 -1, i32 5, i32 -1, i32 6)
; If conditions are resolved, it stays internal.
; EARLY-LABEL: define spir_kernel void @normal(
; EARLY-NEXT: call spir_func void @hidden()
define spir_kernel void @normal() {
  call spir_func void @static_caller(i32 -4, i32 -1, i32 6, i32 -1, i32 5)
  call spir_func void @static_caller(i32 -4, i32 -1, i32 5, i32 -1, i32 6)
  ret void
}

; A condition that is always true gives a direct call, and one that is always false none.
; CHECK-LABEL: define spir_kernel void @constants(
; CHECK-NEXT: call spir_func void @hidden_too()
; CHECK-NEXT: ret void
define spir_kernel void @constants() {
  call spir_func void @another_caller(i32 -5, i32 -1, i32 6, i32 -3, i32 -1, i32 6)
  call spir_func void @another_caller(i32 -4, i32 -1, i32 6, i32 -3, i32 -1, i32 6)
  ret void
}

; The parameters of the condition are those that the body does not use: not the first.
define linkonce_odr spir_func void @caller(ptr byval(%object) align 8 %fn, i32 %0, i32 %1) #0 {
  %place = alloca i32
  store i32 %0, ptr %place
  %this = addrspacecast ptr %fn to ptr addrspace(4)
  call spir_func void @action(ptr addrspace(4) noundef align 8 %this)
  ret void
}

define internal spir_func void @static_caller(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4) #0 {
  call spir_func void @hidden()
  ret void
}

define internal spir_func void @another_caller(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5) #0 {
  call spir_func void @hidden_too()
  ret void
}

; CHECK: define linkonce_odr spir_func void @action(
; CHECK: define {{(dso_local )?}}spir_func void @"hidden$conditional_callers"()
; CHECK: define internal spir_func void @hidden_too()
; EARLY: define internal spir_func void @hidden()
define linkonce_odr spir_func void @action(ptr addrspace(4) noundef align 8 %this) {
  store i32 1, ptr addrspace(4) %this
  ret void
}

define internal spir_func void @hidden() {
  ret void
}

define internal spir_func void @hidden_too() {
  ret void
}

; The attribute is on the functions that are called now, which are only declared.
; CHECK: declare spir_func void @call_if_on_device_conditionally_conditional_callers_1(ptr, ptr addrspace(4) noundef align 8, i32, i32) #[[MARK:[0-9]+]]
; CHECK: attributes #[[MARK]] = { convergent nounwind "sycl-call-if-on-device-conditionally"="true" }
attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
