; RUN: sed 's/BODY/call void @action()/' %s | dovetail opt -p conditional-callers - | FileCheck %s
; RUN: sed 's/BODY/call void %q()/' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=POINTER
; RUN: sed 's/BODY//' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: sed 's/BODY/call void @action() call void @action()/' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=TWO
; RUN: sed 's/BODY/call void @action()/; s/i32 6/i32 %n/' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=VARIABLE
; RUN: sed 's/BODY/call void @action()/; s/i32 -1/i32 -7/' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=MALFORMED
; RUN: sed 's/BODY/call void @action()/; s/@table = .*/@table = global ptr @_Z6callerPFvvEii/' %s | not dovetail opt -p conditional-callers - 2>&1 | FileCheck %s --check-prefix=TAKEN
; RUN: sed 's/BODY/call void @action()/' %s | not dovetail opt -p 'conditional-callers{resolve=intel_gpu_pvd}' - 2>&1 | FileCheck %s --check-prefix=TARGET

; CHECK: call void @call_if_on_device_conditionally___1(ptr @action, i32 -1, i32 6)
; POINTER: in pass 'conditional-callers': 'caller(void (*)(), int, int)' has the attribute sycl-call-if-on-device-conditionally, but calls through a pointer
; NONE: 'caller(void (*)(), int, int)' has the attribute sycl-call-if-on-device-conditionally, but contains 0 calls instead of one
; TWO: but contains 2 calls instead of one
; VARIABLE: in 'k', call of 'caller(void (*)(), int, int)': the integers of its condition are not constant
; MALFORMED: in 'k', call of 'caller(void (*)(), int, int)': malformed condition: integer 0: expected an expression, got -7
; TAKEN: but its address is taken
; TARGET: unknown target 'intel_gpu_pvd'
; TARGET-NEXT: did you mean 'intel_gpu_pvc'?
@table = global ptr null

define void @k(ptr %q, i32 %n) {
  call void @_Z6callerPFvvEii(ptr %q, i32 -1, i32 6)
  ret void
}

define void @_Z6callerPFvvEii(ptr %q, i32 %0, i32 %1) #0 {
  BODY
  ret void
}

declare void @action()

attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
