; RUN: dovetail opt -p conditional-callers,attach-aspects --facts %p/attach-aspects-conditional.json %s | FileCheck %s
; RUN: dovetail opt -p 'conditional-callers{resolve=intel_gpu_skl},attach-aspects{resolve=intel_gpu_skl}' --facts %p/attach-aspects-conditional.json %s | FileCheck %s --check-prefix=EARLY
target triple = "spirv64-unknown-unknown"

; Aspects of an action are used under its condition, and those of nested actions under both. Aspects
; that the kernel uses unconditionally, or that the condition implies, are left out.
; CHECK: define spir_kernel void @k() {{.*}}!sycl_used_aspects ![[CPU:[0-9]+]] !sycl_conditionally_used_aspects ![[K:[0-9]+]] {
; EARLY: define spir_kernel void @k() {{.*}}!sycl_used_aspects ![[K:[0-9]+]] {
define spir_kernel void @k() {
  call spir_func void @outer_caller(i32 -4, i32 -1, i32 6, i32 -3, i32 -2, i32 20)
  call spir_func void @exported()
  ret void
}

define linkonce_odr spir_func void @outer_caller(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4, i32 %5) #0 {
  call spir_func void @outer()
  ret void
}

; Actions, also renamed ones, have only their own aspects.
; CHECK: define {{.*}}void @"outer$attach_aspects_conditional"() !sycl_used_aspects ![[OUTER:[0-9]+]] {
define internal spir_func void @outer() {
  call spir_func void @inner_caller(i32 -1, i32 2)
  ret void
}

define linkonce_odr spir_func void @inner_caller(i32 %0, i32 %1) #0 {
  call spir_func void @inner()
  ret void
}

; CHECK: define {{.*}}void @inner() !sycl_used_aspects ![[INNER:[0-9]+]] {
define spir_func void @inner() {
  ret void
}

; Both architectures have fp16 and atomic64.
; CHECK: define spir_kernel void @simple() #{{[0-9]+}} {
; EARLY: define spir_kernel void @simple() {{.*}}!sycl_used_aspects ![[INNER:[0-9]+]] {
define spir_kernel void @simple() {
  call spir_func void @simple_caller(i32 -5, i32 -2, i32 2, i32 -2, i32 20)
  ret void
}

define linkonce_odr spir_func void @simple_caller(i32 %0, i32 %1, i32 %2, i32 %3, i32 %4) #0 {
  call spir_func void @inner()
  ret void
}

; CHECK: define spir_func void @exported() {{.*}}!sycl_conditionally_used_aspects ![[EXPORTED:[0-9]+]] {
define spir_func void @exported() {
  call spir_func void @inner_caller(i32 -1, i32 5)
  call spir_func void @hidden()
  ret void
}

; It is not an entry point.
; CHECK: define internal spir_func void @hidden() {
define internal spir_func void @hidden() {
  call spir_func void @inner_caller(i32 -1, i32 3)
  ret void
}

attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }

; CHECK-DAG: ![[CPU]] = !{i32 1}
; CHECK-DAG: ![[OUTER]] = !{i32 1, i32 6, i32 27}
; CHECK-DAG: ![[INNER]] = !{i32 5, i32 27}

; gpu and fp64 and not intel_gpu_pvc: half; fp64 and not intel_gpu_pvc: atomic64; accelerator: both;
; fp16: atomic64.
; CHECK-DAG: ![[K]] = !{![[NESTED:[0-9]+]], ![[OUTSIDE:[0-9]+]], ![[ACCELERATOR:[0-9]+]], ![[HALF:[0-9]+]]}
; CHECK-DAG: ![[NESTED]] = !{![[BOTH:[0-9]+]], ![[FP16:[0-9]+]]}
; CHECK-DAG: ![[BOTH]] = !{i32 -4, i32 -1, i32 2, i32 -4, i32 -1, i32 6, i32 -3, i32 -2, i32 20}
; CHECK-DAG: ![[FP16]] = !{i32 5}
; CHECK-DAG: ![[OUTSIDE]] = !{![[ONE:[0-9]+]], ![[ATOMIC64:[0-9]+]]}
; CHECK-DAG: ![[ONE]] = !{i32 -4, i32 -1, i32 6, i32 -3, i32 -2, i32 20}
; CHECK-DAG: ![[ATOMIC64]] = !{i32 27}
; CHECK-DAG: ![[ACCELERATOR]] = !{![[IF_ACCELERATOR:[0-9]+]], ![[INNER]]}
; CHECK-DAG: ![[IF_ACCELERATOR]] = !{i32 -1, i32 3}
; CHECK-DAG: ![[HALF]] = !{![[IF_FP16:[0-9]+]], ![[ATOMIC64]]}
; CHECK-DAG: ![[IF_FP16]] = !{i32 -1, i32 5}
; CHECK-DAG: ![[EXPORTED]] = !{![[ACCELERATOR]], ![[HALF]]}

; For a target with fp16, fp64 and atomic64 that is not an accelerator, all uses are unconditional.
; EARLY-NOT: sycl_conditionally_used_aspects
; EARLY-DAG: ![[K]] = !{i32 1, i32 5, i32 6, i32 27}
; EARLY-DAG: ![[INNER]] = !{i32 5, i32 27}
