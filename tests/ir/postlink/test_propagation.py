"""Used aspects through aliases, several inputs, and facts about sources."""

import json
from collections.abc import Callable

import pytest

from dovetail.graphs import from_bits
from dovetail.postlink import PostLinked

Capture = pytest.CaptureFixture[str]
Compile = Callable[..., None]
Run = Callable[..., int]
Split = Callable[..., PostLinked]

CPU, FP16, FP64 = 1, 5, 6


def used(program: PostLinked, symbol: str) -> list[int]:
    return list(from_bits(program.used.get(symbol, 0)))


def test_the_call_of_an_alias(split: Split) -> None:
    program = split("""
        @other_name = alias void (), ptr @f
        @third_name = alias void (), ptr @other_name
        define spir_kernel void @k() { call void @third_name()
          ret void }
        define void @f() !sycl_used_aspects !0 { ret void }
        !0 = !{i32 6}
    """)
    assert used(program, "k") == [FP64]
    (image,) = program.images()
    assert "call void @third_name()" in image.module.to_text()
    image.module.verify()


# Each has an internal function of the same name, which linking has to rename.
INTERNAL = """
    define spir_kernel void @KERNEL() { call void @f()
      ret void }
    define internal void @f() !KIND !0 { ret void }
    !0 = !{i32 ASPECT}
"""


def internal(kernel: str, kind: str, aspect: int) -> str:
    text = INTERNAL.replace("KERNEL", kernel).replace("KIND", kind)
    return text.replace("ASPECT", str(aspect))


@pytest.mark.parametrize("kind", ["sycl_used_aspects", "sycl_declared_aspects"])
def test_internal_functions_of_one_name(split: Split, kind: str) -> None:
    program = split(internal("k1", kind, FP16), internal("k2", kind, FP64))
    assert used(program, "k1") == [FP16]
    assert used(program, "k2") == [FP64]
    assert "dovetail" not in program.linked.module.to_text()


def test_an_internal_function_is_renamed(split: Split) -> None:
    other = "define void @f() { ret void }\n"
    program = split(internal("k", "sycl_declared_aspects", FP16), other)
    assert used(program, "k") == [FP16]
    assert used(program, "f") == []


@pytest.mark.parametrize(
    "left_behind",
    [
        "declare !sycl_declared_aspects !0 void @f()",
        "define linkonce_odr void @f() !sycl_declared_aspects !0 { ret void }",
        "define available_externally void @f() !sycl_declared_aspects !0 { ret void }",
    ],
)
def test_functions_dropped_by_linking(split: Split, left_behind: str) -> None:
    kernel = "define spir_kernel void @k() { ret void }\n"
    program = split(kernel, f"{left_behind}\n!0 = !{{i32 6}}\n")
    assert used(program, "k") == []


def test_a_declaration_and_a_definition_both_count(split: Split) -> None:
    program = split(
        "declare !sycl_declared_aspects !0 void @f()\n"
        "define spir_kernel void @k() { call void @f()\n ret void }\n!0 = !{i32 5}\n",
        "define void @f() !sycl_used_aspects !0 { ret void }\n!0 = !{i32 6}\n",
    )
    assert used(program, "k") == [FP16, FP64]


# What the optimizer removes: the call in K of helper, that of f in helper, the double in twice.
CALLER = """\
EXTERNAL void f(float *p);
static void helper(float *p) { if (false) f(p); }
void go(float *p) {
  start<class K>([=] { helper(p); });
  start<class L>([=] { *p = 1; });
}
"""
CALLEE = """\
static float twice(float x) { return x * 2.0; }
EXTERNAL void f(float *p) { *p = twice(*p); }
"""


def requirements(capsys: Capture) -> dict[str, list[str]]:
    """Return the aspects of each image, by its first entry point's last letter."""
    images = json.loads(capsys.readouterr().out)["images"]
    return {
        image["entry_points"][0].removesuffix("Pf")[-1]: image["requirements"]["aspects"]
        for image in images
    }


@pytest.mark.parametrize(
    ("readings", "kernel", "function"),
    [
        (("written", "written"), ["fp64"], ["fp64"]),
        (("optimized", "optimized"), [], []),
        (("optimized", "written"), [], ["fp64"]),
        (("written", "optimized"), [], []),
    ],
)
def test_calls_removed_by_optimisation(
    compile_source: Compile,
    post_link: Run,
    capsys: Capture,
    readings: tuple[str, str],
    kernel: list[str],
    function: list[str],
) -> None:
    compile_source("a", CALLER, readings[0])
    compile_source("b", CALLEE, readings[1])
    assert post_link("-split=kernel", "--json", "a.bc", "b.bc") == 0
    assert requirements(capsys) == {"K": kernel, "L": [], "f": function}


def test_calls_of_a_kernel_that_is_a_plain_function(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    """It is inlined into its entry point."""
    mark = '[[__sycl_detail__::__add_ir_attributes_function__("sycl-nd-range-kernel", 1)]]'
    compile_source("a", f"EXTERNAL void f(float *p);\n{mark} void k(float *p) {{ if (0) f(p); }}\n")
    compile_source("b", CALLEE)
    assert post_link("-split=kernel", "--json", "a.bc", "b.bc") == 0
    assert requirements(capsys) == {"k": ["fp64"], "f": ["fp64"]}


def test_internal_functions_of_one_name_in_two_sources(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    text = """\
__attribute__((noinline)) static float helper(float x) { return x * VALUE; }
void go_NAME(float *p) { start<class NAME>([=] { *p = helper(*p); }); }
"""
    compile_source("a", text.replace("NAME", "K").replace("VALUE", "2.0"))
    compile_source("b", text.replace("NAME", "L").replace("VALUE", "2.0f"))
    assert post_link("-split=kernel", "--json", "a.bc", "b.bc") == 0
    assert requirements(capsys) == {"K": ["fp64"], "L": []}


def test_a_source_and_a_module_of_another_toolchain(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source("a", CALLER.replace("if (false)", ""))
    # Theirs is `f`, as clang mangles it; it calls back into nothing of ours.
    theirs = (
        "define spir_func void @_Z1fPf(ptr addrspace(4) %p) !intel_used_aspects !0 { ret void }\n"
        "!0 = !{i32 1}\n"
    )
    assert post_link("-split=kernel", "--json", "a.bc", "b.ll", b=theirs) == 0
    assert requirements(capsys) == {"K": ["cpu"], "L": []}


def test_an_undefined_function_counts_with_what_it_declares(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source(
        "a",
        "EXTERNAL [[sycl::device_has(aspect::fp16)]] void f(float *p);\n"
        "void go(float *p) { start<class K>([=] { f(p); }); }\n",
    )
    assert post_link("-split=auto", "--json", "a.bc") == 0
    assert requirements(capsys) == {"K": ["fp16"]}


def test_recursion_through_two_sources(
    compile_source: Compile, post_link: Run, capsys: Capture
) -> None:
    compile_source(
        "a",
        "EXTERNAL int g(int x);\n"
        "EXTERNAL int f(int x) { return x ? g(x - 1) : 0; }\n"
        "void go(int *p) { start<class K>([=] { *p = f(*p); }); }\n",
    )
    compile_source(
        "b",
        "EXTERNAL int f(int x);\nEXTERNAL int g(int x) { double d = x; return f(x) + 1; }\n",
    )
    assert post_link("-split=auto", "--json", "a.bc", "b.bc") == 0
    images = json.loads(capsys.readouterr().out)["images"]
    assert [image["requirements"]["aspects"] for image in images] == [["fp64"], ["fp64"]]
    assert [len(image["entry_points"]) for image in images] == [2, 1]
