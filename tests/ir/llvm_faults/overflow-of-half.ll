; InstCombine removes the conversion to half, although the integer may be too large for it: if the known bits of x fit
; into its significand, the value may still be above 65504, and the result infinite. On every target.
;
; Form: the fence around half in the pass `optimize`. Remove it when this test fails.
; RUN: opt -S -passes=instcombine %s | FileCheck %s
; CHECK: uitofp i64 {{.+}} to double
define double @f(i64 %y) {
  %s = and i64 %y, -9223372036854775808
  %h = uitofp i64 %s to half
  %d = fpext half %h to double
  ret double %d
}
