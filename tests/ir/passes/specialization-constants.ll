; RUN: dovetail opt -p specialization-constants %s | FileCheck %s
; The value of a specialization constant is read as scalars, by functions without side effects that
; are only declared. Their attribute has the offset, the size of the whole, the type and the default.
target triple = "spirv64-unknown-unknown"

%point = type { i8, double, [2 x half], <2 x float> }

; Its identifier is unique in the program.
@_ZL3own = internal addrspace(1) constant { i32 } { i32 -2 }, align 4
@point = linkonce_odr addrspace(1) constant %point { i8 120, double 1.5, [2 x half] [half 1.0, half 2.0], <2 x float> <float 1.0, float 2.0> }, align 8
; What has no type of its own in SPIR-V is read as bytes.
@wide = addrspace(1) constant i24 197121, align 4

declare spir_func void @_Z37__dovetail_readSpecializationConstantPvPKv(ptr addrspace(4), ptr addrspace(4))

define spir_func i32 @scalar() {
; CHECK-LABEL: @scalar
; CHECK: %[[VALUE:.*]] = call spir_func i32 @"__dovetail_specialization_scalar._ZL3own$specialization_constants.0"()
; CHECK-NEXT: store i32 %[[VALUE]], ptr addrspace(4) %g, align 4
  %p = alloca i32
  %g = addrspacecast ptr %p to ptr addrspace(4)
  call spir_func void @_Z37__dovetail_readSpecializationConstantPvPKv(ptr addrspace(4) %g, ptr addrspace(4) addrspacecast (ptr addrspace(1) @_ZL3own to ptr addrspace(4)))
  %r = load i32, ptr %p
  ret i32 %r
}

define spir_func void @aggregate(ptr addrspace(4) %to) {
; CHECK-LABEL: @aggregate
; CHECK: %[[C:.*]] = call spir_func i8 @__dovetail_specialization_scalar.point.0()
; CHECK-NEXT: store i8 %[[C]], ptr addrspace(4) %to, align 8
; CHECK: %[[D:.*]] = call spir_func double @__dovetail_specialization_scalar.point.8()
; CHECK-NEXT: %[[AT:.*]] = getelementptr inbounds i8, ptr addrspace(4) %to, i64 8
; CHECK-NEXT: store double %[[D]], ptr addrspace(4) %[[AT]], align 8
; CHECK: call spir_func half @__dovetail_specialization_scalar.point.16()
; CHECK: %[[H:.*]] = call spir_func half @__dovetail_specialization_scalar.point.18()
; CHECK: store half %[[H]], ptr addrspace(4) %{{.*}}, align 2
; CHECK: call spir_func float @__dovetail_specialization_scalar.point.24()
; CHECK: call spir_func float @__dovetail_specialization_scalar.point.28()
; CHECK: call spir_func i8 @__dovetail_specialization_scalar.wide.0()
; CHECK: call spir_func i8 @__dovetail_specialization_scalar.wide.2()
; CHECK-NOT: __dovetail_specialization_scalar.wide.3
; CHECK-NOT: readSpecializationConstant
  call spir_func void @_Z37__dovetail_readSpecializationConstantPvPKv(ptr addrspace(4) %to, ptr addrspace(4) addrspacecast (ptr addrspace(1) @point to ptr addrspace(4)))
  call spir_func void @_Z37__dovetail_readSpecializationConstantPvPKv(ptr addrspace(4) %to, ptr addrspace(4) addrspacecast (ptr addrspace(1) @wide to ptr addrspace(4)))
  ret void
}

; CHECK-DAG: declare spir_func i32 @"__dovetail_specialization_scalar._ZL3own$specialization_constants.0"() #[[OWN:[0-9]+]]
; CHECK-DAG: attributes #[[OWN]] = { mustprogress nounwind speculatable willreturn memory(none) "dovetail-specialization-scalar"="0 4 i32 feffffff" }
; CHECK-DAG: "dovetail-specialization-scalar"="8 32 double 000000000000f83f"
; CHECK-DAG: "dovetail-specialization-scalar"="18 32 half 0040"
; CHECK-DAG: "dovetail-specialization-scalar"="2 4 i8 03"
