; RUN: dovetail post-link -split=auto -symbols -S %s -o t.table
; RUN: grep -H "" *.sym | FileCheck %s --match-full-lines --implicit-check-not=sym:
; RUN: FileCheck %s --check-prefix=CODE --input-file=t_1.ll
; RUN: opt -passes=verify -disable-output t_0.ll
; RUN: opt -passes=verify -disable-output t_1.ll
; A function that calls an alias uses the aspects of the aliased function; its image has both.

; CHECK: t_0.sym:plain
; CHECK: t_1.sym:direct
; CHECK: t_1.sym:by_alias

; CODE-DAG: @name = internal alias void (), ptr @f
; CODE-DAG: @name_of_name = internal alias void (), ptr @{{name|f}}
; CODE-DAG: call void @name_of_name()
; CODE-DAG: define internal void @f() !sycl_used_aspects

@name = alias void (), ptr @f
@name_of_name = alias void (), ptr @name

define spir_kernel void @plain() {
  ret void
}

define spir_kernel void @direct() {
  call void @f()
  ret void
}

define spir_kernel void @by_alias() {
  call void @name_of_name()
  ret void
}

define void @f() !sycl_used_aspects !0 {
  ret void
}

!0 = !{i32 6}
