; RUN: dovetail post-link -split=auto -S %s -o t.table
; RUN: FileCheck %s --input-file=t_0.ll --implicit-check-not=sycl- --implicit-check-not=foo
; DPC++ lists the properties of members as strings, to which the last operand of the annotation refers.

; CHECK-DAG: [[TEXT:@[0-9]+]] = private unnamed_addr addrspace(1) constant [{{[0-9]+}} x i8] c"{5921:\223\22}{7744:\22a,b\22}\00", section "llvm.metadata"
;     CHECK: define spir_kernel void @k(
;     CHECK: call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %p, ptr addrspace(1) [[TEXT]], ptr addrspace(1) @.f, i32 3, ptr addrspace(1) null)
; Without properties that have a representation, there is no annotation.
;     CHECK: store i32 4, ptr addrspace(1) %p

@.text = private unnamed_addr addrspace(1) constant [16 x i8] c"sycl-properties\00", section "llvm.metadata"
@.f = private unnamed_addr addrspace(1) constant [6 x i8] c"f.cpp\00", section "llvm.metadata"
@.location = private unnamed_addr addrspace(1) constant [21 x i8] c"sycl-buffer-location\00", section "llvm.metadata"
@.three = private unnamed_addr addrspace(1) constant [2 x i8] c"3\00", section "llvm.metadata"
@.own = private unnamed_addr addrspace(1) constant [21 x i8] c"sycl-decoration-7744\00", section "llvm.metadata"
@.ab = private unnamed_addr addrspace(1) constant [4 x i8] c"a,b\00", section "llvm.metadata"
@.foo = private unnamed_addr addrspace(1) constant [4 x i8] c"foo\00", section "llvm.metadata"
@.list = private unnamed_addr addrspace(1) constant { ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), ptr addrspace(1) } { ptr addrspace(1) @.location, ptr addrspace(1) @.three, ptr addrspace(1) @.foo, ptr addrspace(1) null, ptr addrspace(1) @.own, ptr addrspace(1) @.ab }, section "llvm.metadata"
@.useless = private unnamed_addr addrspace(1) constant { ptr addrspace(1), ptr addrspace(1) } { ptr addrspace(1) @.foo, ptr addrspace(1) @.three }, section "llvm.metadata"

declare ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1))

define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %p, ptr addrspace(1) @.text, ptr addrspace(1) @.f, i32 3, ptr addrspace(1) @.list)
  store i32 3, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %p, ptr addrspace(1) @.text, ptr addrspace(1) @.f, i32 4, ptr addrspace(1) @.useless)
  store i32 4, ptr addrspace(1) %b
  ret void
}
