; RUN: dovetail post-link -split=auto -properties -emit-kernel-names -emit-exported-symbols -emit-imported-symbols -emit-program-metadata -device-globals %s -o t.table
; RUN: FileCheck %s --match-full-lines --input-file=t_0.prop
; Empty property sets are not written, except that of device requirements.

;      CHECK: [SYCL/device requirements]
; CHECK-NEXT: aspects=2|AAAAAAAAAAA
; CHECK-NEXT: [SYCL/kernel names]
; CHECK-NEXT: k=1|1
;  CHECK-NOT: {{.}}

define spir_kernel void @k() {
  ret void
}
