"""Conditionally used aspects across several inputs, from code and from sources."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from dovetail.conditions import Condition, in_words
from dovetail.device_metadata import CONDITIONAL_CALLER, conditionally_used_aspects
from dovetail.errors import IRError
from dovetail.graphs import from_bits
from dovetail.ir import CallGraph, demangle
from dovetail.postlink import PostLinked, find_between_sources, find_in_program
from dovetail.postlink.calls import Calls
from dovetail.postlink.propagate import propagate_aspects
from dovetail.targets import Target, default_table

Compile = Callable[..., None]
Link = Callable[..., PostLinked]
Split = Callable[..., PostLinked]

GPU, FP16, FP64, ATOMIC64 = 2, 5, 6, 27

CALL_IF = """\
template <class F, class... Numbers>
[[__sycl_detail__::__add_ir_attributes_function__("sycl-call-if-on-device-conditionally", true)]]
void call_if(F action, Numbers...) { action(); }
"""
CALLER = """\
EXTERNAL void f(float *p);
void go(float *p) { start<class K>([=] { CALL }); }
"""
CALLEE = """\
static float tenth(float x) { return x * 0.1; }
EXTERNAL void f(float *p) { call_if([=] { *p = tenth(*p); }, -2, 17); }
"""


def told(uses: Mapping[Condition, int]) -> dict[str, list[int]]:
    return {in_words(condition): list(from_bits(bits)) for condition, bits in uses.items()}


def named(program: PostLinked) -> dict[str, dict[str, list[int]]]:
    """Return conditional uses by entry point or function."""
    names = dict(zip(program.conditional, demangle(list(program.conditional)), strict=True))
    return {names[symbol]: told(uses) for symbol, uses in program.conditional.items()}


@pytest.fixture
def linked(compile_source: Compile, split: Split, folder: Path) -> Link:
    """A function that compiles and links a.cpp and b.cpp."""

    def link(caller: str, callee: str, aspects: str = "written") -> PostLinked:
        compile_source("a", CALL_IF + caller, aspects)
        compile_source("b", CALL_IF + callee, aspects)
        return split(*((folder / f"{name}.bc").read_bytes() for name in "ab"))

    return link


@pytest.mark.parametrize("aspects", ["written", "optimized"])
def test_through_an_external_function_of_another_source(linked: Link, aspects: str) -> None:
    program = linked(CALLER.replace("CALL", "call_if([=] { f(p); }, -1, 2);"), CALLEE, aspects)
    found = named(program)
    # The architecture is one of a gpu, but a condition alone does not say so.
    assert found["typeinfo name for go(float*)::K"] == {"gpu and intel_gpu_acm_g10": [FP64]}
    assert found["f(float*)"] == {"intel_gpu_acm_g10": [FP64]}
    written = conditionally_used_aspects(program.linked.module)
    assert {symbol: program.conditional[symbol] for symbol in written} == written
    assert {root.symbol for root in program.linked.roots} == written.keys()
    assert program.used.keys().isdisjoint(written)


@pytest.mark.parametrize(("aspects", "expected"), [("written", {"gpu": [FP64]}), ("optimized", {})])
def test_conditional_calls_removed_by_optimisation(
    linked: Link, aspects: str, expected: dict[str, list[int]]
) -> None:
    dead = CALLER.replace("CALL", "if (false) call_if([=] { f(p); }, -1, 2);")
    callee = CALLEE.replace("call_if([=] { *p = tenth(*p); }, -2, 17)", "*p = tenth(*p)")
    program = linked(dead, callee, aspects)
    assert named(program).get("typeinfo name for go(float*)::K", {}) == expected


def test_a_call_on_all_devices_in_another_source(linked: Link) -> None:
    caller = CALLER.replace("CALL", "call_if([=] { f(p); }, -1, 2); f(p);")
    callee = "EXTERNAL void f(float *p) { *p *= 2.0; }\n"
    program = linked(caller, callee)
    assert program.conditional == {}
    assert sorted(program.used.values()) == [1 << FP64] * len(program.used)


def test_the_users_table_of_targets(linked: Link) -> None:
    program = linked(CALLER.replace("CALL", "f(p);"), CALLEE)
    calls = Calls(CallGraph.of(program.linked.module, CONDITIONAL_CALLER))
    more = default_table().with_targets([Target("intel_gpu_acm_g10", ("gpu", "fp64"))])
    assert propagate_aspects(program.linked, calls, table=more).conditional == {}


def test_an_undeclared_use_across_sources(linked: Link) -> None:
    caller = """\
EXTERNAL void f(float *p);
EXTERNAL [[sycl::device_has()]] void quiet(float *p) { call_if([=] { f(p); }, -1, 6); }
EXTERNAL [[sycl::device_has()]] void broken(float *p) { call_if([=] { f(p); }, -1, 5); }
"""
    program = linked(caller, "EXTERNAL void f(float *p) { *p *= 2.0; }\n")
    (finding,) = find_between_sources(program.linked, program.used, conditional=program.conditional)
    assert finding.message == (
        "function 'broken' uses aspect 'fp64' (if fp16), which its attribute 'device_has' does not"
        " list"
    )
    assert [note.message for note in finding.notes[1:2]] == [
        "'broken' calls 'call_if<(lambda), int, int>' here, if fp16"
    ]


def test_an_undeclared_use_of_another_toolchain(split: Split) -> None:
    program = split("""
        define void @f() !sycl_declared_aspects !0 {
          call void @call_if_1(ptr @action, i32 -1, i32 2)
          call void @call_if_1(ptr @action, i32 -1, i32 6)
          ret void }
        define void @action() !sycl_used_aspects !1 { ret void }
        declare void @call_if_1(ptr, i32, i32) #0
        attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
        !0 = !{i32 5}
        !1 = !{i32 5, i32 6}
    """)
    (finding,) = find_in_program(program.linked, program.used, conditional=program.conditional)
    assert finding.message == "function 'f' uses aspect 'fp64' (if gpu), but declares aspect 'fp16'"


def test_a_non_constant_condition_is_a_bug(split: Split) -> None:
    with pytest.raises(AssertionError, match="non-constant condition in 'f'"):
        split("""
            define spir_kernel void @f(i32 %n) {
              call void @call_if_1(ptr @action, i32 -1, i32 %n)
              ret void }
            define void @action() { ret void }
            declare void @call_if_1(ptr, i32, i32) #0
            attributes #0 = { "sycl-call-if-on-device-conditionally"="true" }
        """)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ("!{i32 1}", "it does not consist of pairs of a condition and aspects"),
        ("!{!1}", "it does not consist of pairs of a condition and aspects"),
        ("!{!{!1, !1}}", "malformed condition: integer 0: expected an expression, got 5"),
        ("!{!{!2, !3}}", "there is no aspect 5000"),
        ("!{!{!2, !2}}", "there is no aspect -1"),
    ],
)
def test_malformed_metadata(split: Split, node: str, message: str) -> None:
    with pytest.raises(IRError, match=message):
        split(f"""
            define spir_kernel void @k() !sycl_conditionally_used_aspects !0 {{ ret void }}
            !0 = {node}
            !1 = !{{i32 5}}
            !2 = !{{i32 -1, i32 5}}
            !3 = !{{i32 5, i32 5000}}
        """)
