; RUN: dovetail post-link -split=kernel -S %s -o t.table
; RUN: opt -passes=verify -S t_0.ll | FileCheck %s --check-prefixes=CHECK,A --implicit-check-not=DICompileUnit --implicit-check-not=b.cpp
; RUN: opt -passes=verify -S t_1.ll | FileCheck %s --check-prefixes=CHECK,B --implicit-check-not=DICompileUnit --implicit-check-not=a.cpp
; Images keep debug information: the locations of their code, and only their own compile units.

; A: ret void, !dbg ![[PLACE:[0-9]+]]
; B: ret void, !dbg ![[PLACE:[0-9]+]]
; CHECK: !llvm.dbg.cu = !{![[UNIT:[0-9]+]]}
; CHECK: ![[UNIT]] = distinct !DICompileUnit({{.*}}file: ![[FILE:[0-9]+]]
; A: ![[FILE]] = !DIFile(filename: "a.cpp"
; B: ![[FILE]] = !DIFile(filename: "b.cpp"
; A: ![[PLACE]] = !DILocation(line: 3,
; B: ![[PLACE]] = !DILocation(line: 7,

define spir_kernel void @a() !dbg !4 {
  ret void, !dbg !6
}

define spir_kernel void @b() !dbg !5 {
  ret void, !dbg !7
}

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: FullDebug)
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.cpp", directory: "/")
!3 = !DIFile(filename: "b.cpp", directory: "/")
!4 = distinct !DISubprogram(name: "a", scope: !2, file: !2, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "b", scope: !3, file: !3, type: !8, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, scope: !4)
!7 = !DILocation(line: 7, scope: !5)
!8 = !DISubroutineType(types: !{null})
!9 = !{i32 2, !"Debug Info Version", i32 3}
