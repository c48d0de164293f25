; RUN: not dovetail opt -p group-scope %s 2>&1 | FileCheck %s
; CHECK: dovetail: error: in pass 'group-scope': in 'scope', {{.*}}size and alignment must be constants
target triple = "spirv64-unknown-unknown"

define spir_func void @scope(i1 %leader, i64 %size) "dovetail-work-group-scope"="true" {
  %offset = call spir_func i64 @__dovetail_allocatePrivate(i64 %size, i64 8)
  ret void
}

declare spir_func i64 @__dovetail_allocatePrivate(i64, i64)
