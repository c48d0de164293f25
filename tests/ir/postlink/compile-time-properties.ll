; RUN: dovetail post-link -split=kernel -S %s -o t.table
; RUN: FileCheck %s --input-file=t_0.ll --implicit-check-not=foo --implicit-check-not=sycl-sub
; Properties as attributes and annotations become decorations and execution modes of SPIR-V.
; Properties without representation, such as foo, are removed.

;      CHECK: @g = addrspace(1) global i32 7, align 4, !spirv.Decorations [[ON_G:![0-9]+]] #[[G:[0-9]+]]
;  CHECK-DAG: c"mine\00"
;  CHECK-DAG: [[TEXT:@[0-9]+]] = private unnamed_addr addrspace(1) constant [24 x i8] c"{44:\2216\22}{7744:\22a \\\22b\22}\00", section "llvm.metadata"
;      CHECK: define spir_kernel void @k(ptr addrspace(1) %p, i32 %n) #[[K:[0-9]+]] !intel_reqd_sub_group_size {{![0-9]+}} !reqd_work_group_size [[SIZE:![0-9]+]] !work_group_size_hint [[HINT:![0-9]+]] !work_group_num_dim {{![0-9]+}} !spirv.ParameterDecorations [[ON_K:![0-9]+]] {
;      CHECK: %a = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %q, ptr addrspace(1) [[TEXT]], ptr addrspace(1) @.f, i32 3, ptr addrspace(1) null)
;      CHECK: %b = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %q, ptr addrspace(1) @.u,
; An annotation without remaining properties is removed.
;      CHECK: store i32 5, ptr addrspace(1) %q
; Who makes code asks for what makes a variable a device global.
;  CHECK-DAG: attributes #[[G]] = { "sycl-device-global-size"="4" "sycl-unique-id"="the id" }
;  CHECK-DAG: attributes #[[K]] = { "sycl-module-id"="a.cpp" }
; LLVM writes the execution modes of sizes.
;      CHECK: !spirv.ExecutionMode = !{[[MODE:![0-9]+]]}
;  CHECK-DAG: [[ON_G]] = !{[[OWN:![0-9]+]], [[HOST:![0-9]+]], [[CSR:![0-9]+]], [[INIT:![0-9]+]]}
;  CHECK-DAG: [[HOST]] = !{i32 6188, i32 3, !"the id"}
;  CHECK-DAG: [[INIT]] = !{i32 6190, i32 1}
;  CHECK-DAG: [[CSR]] = !{i32 6191, i32 1}
;  CHECK-DAG: [[OWN]] = !{i32 7746, i32 1, i32 2}
; Devices count dimensions from the other end.
;  CHECK-DAG: [[SIZE]] = !{i32 4, i32 8, i32 1}
;  CHECK-DAG: [[HINT]] = !{i32 3, i32 2, i32 1}
;  CHECK-DAG: [[MODE]] = !{ptr @k, i32 7001, i32 5}
;  CHECK-DAG: [[ON_K]] = !{[[ON_P:![0-9]+]], [[ON_N:![0-9]+]]}
;  CHECK-DAG: [[ON_P]] = !{[[BUFFER:![0-9]+]], [[TEXT_OF_P:![0-9]+]], [[ALIAS:![0-9]+]]}
;  CHECK-DAG: [[ON_N]] = !{}
;  CHECK-DAG: [[ALIAS]] = !{i32 38, i32 4}
;  CHECK-DAG: [[BUFFER]] = !{i32 5921, i32 3}
;  CHECK-DAG: [[TEXT_OF_P]] = !{i32 7745, !"text"}

@g = addrspace(1) global i32 7, align 4 #0
@.p = private unnamed_addr addrspace(1) constant [68 x i8] c"sycl-properties:foo,sycl-decoration-44=16,sycl-decoration-7744=a \22b\00", section "llvm.metadata"
@.s = private unnamed_addr addrspace(1) constant [24 x i8] c"sycl-properties:foo=3,4\00", section "llvm.metadata"
@.u = private unnamed_addr addrspace(1) constant [5 x i8] c"mine\00", section "llvm.metadata"
@.f = private unnamed_addr addrspace(1) constant [6 x i8] c"f.cpp\00", section "llvm.metadata"

declare ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1), ptr addrspace(1), ptr addrspace(1), i32, ptr addrspace(1))

define spir_kernel void @k(ptr addrspace(1) "sycl-no-alias" "sycl-buffer-location"="3" "sycl-decoration-7745"="text" "foo"="1" %p, i32 %n) #1 !intel_reqd_sub_group_size !8 {
  %v = load i32, ptr addrspace(1) @g
  store i32 %v, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %p, i64 4
  %a = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %q, ptr addrspace(1) @.p, ptr addrspace(1) @.f, i32 3, ptr addrspace(1) null)
  store i32 3, ptr addrspace(1) %a
  %b = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %q, ptr addrspace(1) @.u, ptr addrspace(1) @.f, i32 4, ptr addrspace(1) null)
  store i32 4, ptr addrspace(1) %b
  %c = call ptr addrspace(1) @llvm.ptr.annotation.p1.p1(ptr addrspace(1) %q, ptr addrspace(1) @.s, ptr addrspace(1) @.f, i32 5, ptr addrspace(1) null)
  store i32 5, ptr addrspace(1) %c
  ret void
}

attributes #0 = { "sycl-device-global-size"="4" "sycl-unique-id"="the id" "sycl-host-access"="2" "sycl-init-mode"="1" "sycl-implement-in-csr"="true" "sycl-decoration-7746"="1,2" "foo"="x" }
attributes #1 = { "sycl-work-group-size"="8,4" "sycl-work-group-size-hint"="2,3" "sycl-sub-group-size"="16" "sycl-execution-mode-7001"="5" "foo"="7" "sycl-module-id"="a.cpp" }

!sycl_properties = !{!0, !1, !2, !3, !4, !5, !6, !7, !9, !10, !11, !12, !13, !14, !15, !16, !17}
!0 = !{!"foo"}
!1 = !{!"sycl-no-alias"}
!2 = !{!"sycl-buffer-location"}
!3 = !{!"sycl-decoration-7745"}
!4 = !{!"sycl-decoration-44"}
!5 = !{!"sycl-decoration-7744"}
!6 = !{!"sycl-host-access"}
!7 = !{!"sycl-init-mode"}
!8 = !{i32 16}
!9 = !{!"sycl-implement-in-csr"}
!10 = !{!"sycl-decoration-7746"}
!11 = !{!"sycl-work-group-size"}
!12 = !{!"sycl-sub-group-size"}
!13 = !{!"sycl-execution-mode-7001"}
!14 = !{!"sycl-device-global-size"}
!15 = !{!"sycl-unique-id"}
!16 = !{!"sycl-device-image-scope"}
!17 = !{!"sycl-work-group-size-hint"}
