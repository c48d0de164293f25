; RUN: not dovetail opt -p kernel-entires %s 2>&1 | FileCheck %s --check-prefix=NAME
; RUN: not dovetail opt -p 'optimize{leval=1}' %s 2>&1 | FileCheck %s --check-prefix=OPTION
; RUN: not dovetail opt -p 'optimize{level=7}' %s 2>&1 | FileCheck %s --check-prefix=LEVEL
; RUN: not dovetail opt -p 'optimize{' %s 2>&1 | FileCheck %s --check-prefix=SYNTAX
; RUN: not dovetail opt -p optimize %p/none.ll 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: not dovetail opt -p optimize %p/attach-facts.json 2>&1 | FileCheck %s --check-prefix=NOT-IR

; NAME: dovetail: error: unknown pass 'kernel-entires'
; NAME-NEXT: dovetail: did you mean 'kernel-entries'?
; OPTION: dovetail: error: pass 'optimize' has no option 'leval'
; OPTION-NEXT: dovetail: did you mean 'level'?
; LEVEL: dovetail: error: unknown optimization level '7'
; SYNTAX: dovetail: error: cannot parse the pipeline at 'optimize{'
; FILE: dovetail: error: cannot read '{{.*}}none.ll': No such file or directory
; NOT-IR: {{^.*}}attach-facts.json:1:1: error: 
define void @f() {
  ret void
}
