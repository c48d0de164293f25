; RUN: dovetail post-link -split=auto -properties -symbols -emit-exported-symbols -emit-imported-symbols -S %s -o t.table
; RUN: cat t_0.sym t_1.sym t_2.sym | FileCheck %s --check-prefix=SYMBOLS --match-full-lines
; RUN: cat t_0.prop t_1.prop t_2.prop | FileCheck %s --check-prefix=SETS --match-full-lines --implicit-check-not=ported
; RUN: FileCheck %s --input-file=t_0.ll --check-prefix=FOO --implicit-check-not="define {{.*}}bar"
; RUN: FileCheck %s --input-file=t_1.ll --check-prefix=BAR --implicit-check-not="define {{.*}}foo"
; RUN: FileCheck %s --input-file=t_2.ll --check-prefix=BOTH
; A kernel may call the virtual functions of the sets that it names, so they are in its image, and
; it uses their aspects. They are not exported.

;      SYMBOLS: calls_foo
; SYMBOLS-NEXT: calls_bar
; SYMBOLS-NEXT: calls_both
;  SYMBOLS-NOT: {{.+}}

; SETS: aspects=2|gAAAAAAAAAQBAAAA
; SETS: aspects=2|gAAAAAAAAAgBAAAA
; SETS: aspects=2|ABAAAAAAAAQBAAAAGAAAAA

;  FOO: define spir_kernel void @calls_foo(
;  FOO: define internal spir_func void @foo(
;  BAR: define spir_kernel void @calls_bar(
;  BAR: define internal spir_func void @bar(
; BOTH-DAG: define spir_kernel void @calls_both()
; BOTH-DAG: define internal spir_func void @foo(
; BOTH-DAG: define internal spir_func void @bar(

define linkonce_odr spir_func void @foo(ptr addrspace(4) %this) #0 !sycl_used_aspects !5 {
  ret void
}

define spir_func void @bar(ptr addrspace(4) %this) #1 !sycl_used_aspects !6 {
  ret void
}

define spir_kernel void @calls_foo(ptr %function, ptr addrspace(4) %object) #2 {
  call void @helper(ptr %function, ptr addrspace(4) %object)
  ret void
}

; Its type is that of both functions; what counts is what the kernel says.
define internal spir_func void @helper(ptr %function, ptr addrspace(4) %object) {
  call spir_func void %function(ptr addrspace(4) %object)
  ret void
}

define spir_kernel void @calls_bar(ptr %function, ptr addrspace(4) %object) #3 {
  call void @helper(ptr %function, ptr addrspace(4) %object)
  ret void
}

define spir_kernel void @calls_both() #4 {
  ret void
}

attributes #0 = { "indirectly-callable"="set-foo" "sycl-module-id"="a.cpp" }
attributes #1 = { "indirectly-callable"="set-bar" "sycl-module-id"="a.cpp" }
attributes #2 = { "calls-indirectly"="set-foo" "sycl-module-id"="a.cpp" }
attributes #3 = { "calls-indirectly"="set-bar" "sycl-module-id"="a.cpp" }
attributes #4 = { "calls-indirectly"="set-foo,set-bar" "sycl-module-id"="a.cpp" }

!5 = !{i32 5}
!6 = !{i32 6}
