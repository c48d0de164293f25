"""Warnings about undeclared uses and mismatched declarations across inputs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.postlink import PostLinked, find_between_sources, find_in_program

Capture = pytest.CaptureFixture[str]
Compile = Callable[..., None]
Run = Callable[..., int]
Split = Callable[..., PostLinked]

PROMISE = """\
EXTERNAL float g(float x);
EXTERNAL [[sycl::device_has(aspect::fp16)]] float f(float x) {
  return g(x);
}
void go(float *p) { start<class K>([=] { *p = f(*p); }); }
"""
USE = """\
static float twice(float x) { return x * 2.0; }
EXTERNAL float g(float x) {
  return twice(x);
}
"""


def test_undeclared_uses_in_sources(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source("a", PROMISE)
    compile_source("b c", USE)
    assert post_link("-split=auto", "a.bc", "b c.bc") == 0
    assert (
        capsys.readouterr().err
        == """\
a.cpp:3:67: warning: function 'f' uses aspect 'fp64', which its attribute 'device_has' does not \
list [-Wsycl-undeclared-aspect]
    3 | [[clang::sycl_external]] [[sycl::device_has(aspect::fp16)]] float f(float x) {
      |                                                                   ^
a.cpp:3:28: note: attribute is here
    3 | [[clang::sycl_external]] [[sycl::device_has(aspect::fp16)]] float f(float x) {
      |                            ^
a.cpp:4:10: note: 'f' calls 'g' here
    4 |   return g(x);
      |          ^
b c.cpp:4:10: note: 'g' calls 'twice' here
    4 |   return twice(x);
      |          ^
b c.cpp:2:38: note: uses aspect 'fp64' here: implicit conversion to 'double'
    2 | static float twice(float x) { return x * 2.0; }
      |                                      ^
a.cpp: note: 'dovetail check a.cpp 'b c.cpp'' shows every call that leads to an aspect
"""
    )


def test_ir_output_only_reports_them_too(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source("a", PROMISE)
    compile_source("b", USE)
    assert post_link("-ir-output-only", "a.bc", "b.bc", "-o", "ab.bc") == 0
    first = capsys.readouterr().err
    assert "warning: function 'f' uses aspect 'fp64'" in first
    assert post_link("-split=auto", "ab.bc") == 0
    assert capsys.readouterr().err == first


def test_functions_without_facts(post_link: Run, capsys: Capture) -> None:
    text = """
        define spir_kernel void @k() #0 !sycl_declared_aspects !0 {
          call void @_Z1fi(i32 1)
          ret void
        }
        define void @_Z1fi(i32 %x) !intel_allowed_aspects !1 !intel_used_aspects !2 {
          ret void
        }
        attributes #0 = { "sycl-module-id"="src/a.cpp" }
        !0 = !{i32 5, i32 6, i32 1}
        !1 = !{}
        !2 = !{i32 1, i32 6}
    """
    assert post_link("-split=auto", "in.ll", **{"in": text}) == 0
    assert capsys.readouterr().err == (
        "in.ll: warning: function 'f(int)' uses aspects 'cpu', 'fp64', but declares no aspects"
        " [-Wsycl-undeclared-aspect]\n"
        "in.ll: note: 'dovetail check src/a.cpp' shows every call that leads to an aspect\n"
    )


def test_functions_of_unknown_sources(post_link: Run, capsys: Capture) -> None:
    promise = "define void @KEEP() !sycl_declared_aspects !0 { call void @use()\n ret void }\n"
    text = f"{promise}define void @use() !sycl_used_aspects !1 {{ ret void }}\n"
    nodes = "!0 = !{i32 5}\n!1 = !{i32 6}\n"
    assert post_link("-split=auto", "in.ll", **{"in": text + nodes}) == 0
    assert capsys.readouterr().err == (
        "in.ll: warning: function 'KEEP' uses aspect 'fp64', but declares aspect 'fp16'"
        " [-Wsycl-undeclared-aspect]\n"
        "in.ll: note: 'dovetail check SOURCE...' shows every call that leads to an aspect\n"
    )


def test_internal_functions_are_reported_by_input(split: Split) -> None:
    text = """
        define spir_kernel void @kNUMBER() { call void @f()
          ret void }
        define internal void @f() !sycl_declared_aspects !0 !sycl_used_aspects !1 { ret void }
        !0 = !{i32 5}
        !1 = !{i32 ASPECT}
    """
    program = split(
        text.replace("NUMBER", "1").replace("ASPECT", "5"),
        text.replace("NUMBER", "2").replace("ASPECT", "6"),
    )
    (finding,) = find_in_program(program.linked, program.used)
    assert str(finding.place) == "1.ll"
    assert finding.message == "function 'f' uses aspect 'fp64', but declares aspect 'fp16'"


def test_no_warning_for_declared_uses(split: Split) -> None:
    program = split("""
        define spir_kernel void @k() !sycl_declared_aspects !0 { call void @f()
          ret void }
        define void @f() !sycl_declared_aspects !1 !sycl_used_aspects !1 { ret void }
        !0 = !{i32 5, i32 6}
        !1 = !{i32 6}
    """)
    assert find_in_program(program.linked, program.used) == []


DECLARED = """\
EXTERNAL [[sycl::device_has(aspect::ASPECT)]] void f();
void go() { start<class K>([] { f(); }); }
"""
DEFINED = "EXTERNAL [[sycl::device_has(aspect::fp64)]] void f() {}\n"


def test_sources_that_disagree(compile_source: Compile, post_link: Run, capsys: Capture) -> None:
    compile_source("a", DECLARED.replace("ASPECT", "fp16"))
    compile_source("b", DEFINED)
    assert post_link("-split=auto", "a.bc", "b.bc") == 0
    assert (
        capsys.readouterr().err
        == """\
a.cpp:2:28: warning: 'f' is declared with device_has(fp16) here but defined with device_has(fp64) \
[-Wsycl-mismatched-aspects]
    2 | [[clang::sycl_external]] [[sycl::device_has(aspect::fp16)]] void f();
      |                            ^
b.cpp:2:28: note: defined here
    2 | [[clang::sycl_external]] [[sycl::device_has(aspect::fp64)]] void f() {}
      |                            ^
"""
    )


def test_sources_that_agree(compile_source: Compile, post_link: Run, capsys: Capture) -> None:
    compile_source("a", DECLARED.replace("ASPECT", "fp64"))
    compile_source("b", DEFINED)
    assert post_link("-split=auto", "a.bc", "b.bc") == 0
    assert capsys.readouterr().err == ""


THEIR_DECLARATION = """
    declare !sycl_declared_aspects !0 spir_func void @_Z1fv()
    define spir_kernel void @k() { call spir_func void @_Z1fv()
      ret void }
    !0 = !{i32 5, i32 1}
"""
THEIR_DEFINITION = """
    define spir_func void @_Z1fv() !intel_allowed_aspects !0 { ret void }
    !0 = !{i32 6}
"""
DIFFER = "warning: 'f()' is declared with {} here but defined with {} [-Wsycl-mismatched-aspects]\n"


def test_modules_without_facts_that_disagree(post_link: Run, capsys: Capture) -> None:
    # That the definition is taken to use what a declaration lists breaks no promise of its own.
    words = ["-split=auto", "a.ll", "b.ll"]
    assert post_link(*words, a=THEIR_DECLARATION, b=THEIR_DEFINITION) == 0
    differ = DIFFER.format("aspects 'cpu', 'fp16'", "aspect 'fp64'")
    assert capsys.readouterr().err == f"a.ll: {differ}b.ll: note: defined here\n"


def without_llvms(messages: str) -> str:
    """LLVM's linker reports that the modules have different data layouts."""
    ours, _, theirs = messages.partition("warning: Linking two modules")
    assert not theirs or theirs.startswith(" of different data layouts: 'b.ll' is ''")
    return ours


@pytest.mark.parametrize("ours_is_definition", [True, False])
def test_a_source_and_a_module_without_facts_that_disagree(
    compile_source: Compile, post_link: Run, capsys: Capture, ours_is_definition: bool
) -> None:
    if ours_is_definition:
        compile_source("a", DEFINED)
        assert post_link("-split=auto", "b.ll", "a.bc", b=THEIR_DECLARATION) == 0
        differ = DIFFER.format("aspects 'cpu', 'fp16'", "aspect 'fp64'")
        expected = f"b.ll: {differ}a.bc: note: defined here\n"
    else:
        compile_source("a", DECLARED.replace("ASPECT", "fp16"))
        assert post_link("-split=auto", "a.bc", "b.ll", b=THEIR_DEFINITION) == 0
        differ = DIFFER.format("aspect 'fp16'", "aspect 'fp64'")
        expected = f"a.bc: {differ}b.ll: note: defined here\n"
    assert without_llvms(capsys.readouterr().err) == expected


def test_an_undeclared_use_in_a_module_without_facts(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source("a", "EXTERNAL void f();\nvoid go() { start<class K>([] { f(); }); }\n")
    theirs = THEIR_DEFINITION.replace("!0 {", "!0 !intel_used_aspects !1 {") + "!1 = !{i32 1}\n"
    assert post_link("-split=auto", "a.bc", "b.ll", b=theirs) == 0
    assert without_llvms(capsys.readouterr().err) == (
        "b.ll: warning: function 'f()' uses aspect 'cpu', but declares aspect 'fp64'"
        " [-Wsycl-undeclared-aspect]\n"
        "b.ll: note: 'dovetail check a.cpp' shows every call that leads to an aspect\n"
    )


HEADER = """\
[[sycl::device_has()]] static float twice(float x) { return x * 2.0; }
"""


def test_a_function_of_a_header_is_reported_once(
    compile_source: Compile, post_link: Run, capsys: Capture, folder: Path
) -> None:
    (folder / "h.hpp").write_text(HEADER)
    for name in "ab":
        text = f'#include "h.hpp"\nEXTERNAL float {name}(float x) {{ return twice(x); }}\n'
        compile_source(name, text)
    assert post_link("-split=auto", "a.bc", "b.bc") == 0
    assert capsys.readouterr().err.count("warning: ") == 1


def test_a_build_reports_nothing_twice(compile_source: Compile, split: Split, folder: Path) -> None:
    """Findings in a single source are reported when it is compiled."""
    alone = "EXTERNAL [[sycl::device_has()]] double h(double x) { return x; }\n"
    compile_source("a", PROMISE + alone)
    compile_source("b", USE)
    program = split(*((folder / f"{name}.bc").read_bytes() for name in "ab"))
    told = find_in_program(program.linked, program.used)
    assert sorted(finding.place.line for finding in told) == [3, 7]
    (new,) = find_between_sources(program.linked, program.used)
    assert "function 'f' uses aspect 'fp64'" in new.message
