; RUN: dovetail post-link -split=auto -properties -symbols -S %s -o t.table
; RUN: cat t_0.sym t_1.sym t_2.sym t_3.sym | FileCheck %s --check-prefix=SYMBOLS --match-full-lines
; RUN: cat t_0.prop t_1.prop t_2.prop t_3.prop | FileCheck %s --match-full-lines --implicit-check-not=grf
; RUN: dovetail post-link -split=off -properties -S %s -o off.table
; RUN: FileCheck %s --input-file=off_0.prop --check-prefix=OFF
; Compilers set the number of registers for whole images.

;      SYMBOLS: plain
; SYMBOLS-NEXT: large
; SYMBOLS-NEXT: also_large
; SYMBOLS-NEXT: small
; SYMBOLS-NEXT: by_mode
;  SYMBOLS-NOT: {{.+}}

;      CHECK: [SYCL/device requirements]
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: sycl-grf-size=1|256
;      CHECK: [SYCL/misc properties]
; CHECK-NEXT: sycl-grf-size=1|128
;      CHECK: [SYCL/device requirements]
;  CHECK-NOT: {{.*}}misc{{.*}}

; OFF-NOT: sycl-grf-size

define spir_kernel void @plain() {
  ret void
}

define spir_kernel void @large() "sycl-grf-size"="256" {
  ret void
}

define spir_kernel void @small() "sycl-grf-size"="128" {
  ret void
}

define spir_kernel void @also_large() "sycl-grf-size"="256" {
  ret void
}

define spir_kernel void @by_mode() "sycl-register-alloc-mode"="2" {
  ret void
}
