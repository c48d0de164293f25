; RUN: dovetail post-link -split=auto -properties -symbols %s -o all.table -o intel_gpu_dg1,dg1.table -o x86_64,cpu.table -o spir64,any.table
; RUN: cat all.table dg1.table cpu.table any.table | FileCheck %s --match-full-lines
; RUN: cat all_intel_gpu_dg1_0.prop all_x86_64_0.prop all_x86_64_1.prop | FileCheck %s --check-prefix=SETS --match-full-lines
; RUN: cat all_0.prop all_1.prop | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=compile_target
; RUN: dovetail post-link -split=auto -properties -resolve=intel_gpu_rpl_s %s -o resolved.table
; RUN: grep compile_target resolved_0.prop | FileCheck %s --check-prefix=RESOLVED --match-full-lines
; Property sets in the table of a target name it in compile_target, if it is one kind of device.

;      CHECK: [Code|Properties|Symbols]
; CHECK-NEXT: all_0.bc|all_0.prop|all_0.sym
; CHECK-NEXT: all_1.bc|all_1.prop|all_1.sym
; CHECK-NEXT: [Code|Properties|Symbols]
; CHECK-NEXT: all_0.bc|all_intel_gpu_dg1_0.prop|all_0.sym
; CHECK-NEXT: [Code|Properties|Symbols]
; CHECK-NEXT: all_0.bc|all_x86_64_0.prop|all_0.sym
; CHECK-NEXT: all_1.bc|all_x86_64_1.prop|all_1.sym
; CHECK-NEXT: [Code|Properties|Symbols]
; CHECK-NEXT: all_0.bc|all_0.prop|all_0.sym
; CHECK-NEXT: all_1.bc|all_1.prop|all_1.sym
;  CHECK-NOT: {{.}}

;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
; SETS-NEXT: compile_target=2|oBAAAAAAAAQauRXZs91ZwV3XkdWM
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|AAAAAAAAAAA
; SETS-NEXT: compile_target=2|oBAAAAAAAAwcwlmc2QzX4hjNfZDN
;      SETS: [SYCL/device requirements]
; SETS-NEXT: aspects=2|gAAAAAAAAAgBAAAA
; SETS-NEXT: compile_target=2|oBAAAAAAAAwcwlmc2QzX4hjNfZDN

; WITHOUT-COUNT-2: [SYCL/device requirements]

; Of targets with one architecture, the first has the name.
; RESOLVED: compile_target=2|4BAAAAAAAAQauRXZs91ZwV3XhRGbfNH

define spir_kernel void @plain() {
  ret void
}

define spir_kernel void @double() !sycl_used_aspects !0 {
  ret void
}

!0 = !{i32 6}
