"""Errors in attributes are reported at the argument, or at the attribute.

`@` stands where the error is.
"""

from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError

if TYPE_CHECKING:
    from conftest import Read

NO_ASPECT = "expects values of type 'sycl::aspect', got"
SIZES = "expects sizes from 1 to 18446744073709551615, got"

CASES = [
    ("[[sycl::device_has(@1)]] void f();", f"'sycl::device_has' {NO_ASPECT} 'int'"),
    ("[[__sycl__::__device_has__(@1)]] void f();", f"'sycl::device_has' {NO_ASPECT} 'int'"),
    ("[[using sycl: device_has(@1)]] void f();", f"'sycl::device_has' {NO_ASPECT} 'int'"),
    ("[[sycl::device_has(aspect::cpu, @true)]] void f();", f"{NO_ASPECT} 'bool'"),
    ("[[sycl::requires(has(aspect::cpu, @2))]] void f();", f"'sycl::requires' {NO_ASPECT} 'int'"),
    ('[[sycl::device_has(@"")]] void f();', NO_ASPECT),
    ("enum aspect2 { a }; [[sycl::device_has(@a)]] void f();", f"{NO_ASPECT} 'aspect2'"),
    (
        "namespace n { enum class aspect { a }; } [[sycl::device_has(@n::aspect::a)]] void f();",
        f"{NO_ASPECT} 'n::aspect'",
    ),
    ("[[sycl::device_has(@x)]] void f();", "use of undeclared identifier 'x'"),
    (
        "aspect a; [[sycl::device_has(@a)]] void f();",
        "'sycl::device_has' attribute requires parameter 1 to be a constant expression",
    ),
    (
        "int n; [[sycl::reqd_sub_group_size(@n)]] void f();",
        "'sycl::reqd_sub_group_size' attribute requires parameter 1 to be a constant expression",
    ),
    (
        "aspect a; auto l = []() [[sycl::device_has(@a)]] {};",
        "'sycl::device_has' attribute requires parameter 1 to be a constant expression",
    ),
    (
        "struct [[__sycl_detail__::__uses_aspects__(has(@1))]] S;",
        f"'sycl_detail::uses_aspects' {NO_ASPECT} 'int'",
    ),
    ("void f() [[sycl::device_has(@1)]];", NO_ASPECT),
    ("struct S { [[sycl::device_has(@1)]] void f(); };", NO_ASPECT),
    ("struct S { void f() const { [] () [[sycl::device_has(@1)]] {}; } };", NO_ASPECT),
    ("namespace n { [[sycl::device_has(@1)]] void f(); }", NO_ASPECT),
    ("#define HAS [[sycl::device_has(1)]]\n@HAS void f();", NO_ASPECT),
    ("#define HAS(x) [[sycl::device_has(x)]]\nHAS(@1) void f();", NO_ASPECT),
    ("template <class T> [[sycl::device_has(@1)]] void f(T);", NO_ASPECT),
    (
        "template <auto A> [[sycl::device_has(@A)]] void f() {} void g() { f<3>(); }",
        f"{NO_ASPECT} 'int'",
    ),
    (
        "template <auto A> void f() { []() [[sycl::device_has(@A)]] {}; } void g() { f<3>(); }",
        f"{NO_ASPECT} 'int'",
    ),
    (
        "template <int N> struct [[__sycl_detail__::__uses_aspects__(@N)]] S {}; S<1> s;",
        f"{NO_ASPECT} 'int'",
    ),
    (
        "template <int N> struct S { [[sycl::reqd_sub_group_size(@N)]] void f() {} };\n"
        "void g() { S<0>().f(); }",
        "expects sizes from 1 to 4294967295, got 0",
    ),
    ("[[sycl::reqd_work_group_size(@0)]] void f();", f"'sycl::reqd_work_group_size' {SIZES} 0"),
    ("[[sycl::reqd_work_group_size(8, @-1)]] void f();", f"{SIZES} -1"),
    (
        "[[sycl::work_group_size_hint(@(__int128)1 << 64)]] void f();",
        f"{SIZES} 18446744073709551616",
    ),
    (
        "[[sycl::device_has(@(aspect)-1)]] void f();",
        "'sycl::device_has' expects aspects; no aspect has the number",
    ),
    ("[[sycl::device_has(@(aspect)4096)]] void f();", "no aspect has the number 4096"),
    (
        "struct [[__sycl_detail__::__uses_aspects__(@(aspect)70000)]] S {};",
        "no aspect has the number 70000",
    ),
    (
        "[[sycl::reqd_sub_group_size(@4294967296)]] void f();",
        "expects sizes from 1 to 4294967295, got 4294967296",
    ),
    ("[[sycl::reqd_work_group_size(1, 2, 3, @4)]] void f();", "expects one to three sizes, got 4"),
    ("[[@sycl::reqd_work_group_size()]] void f();", "expects one to three sizes, got 0"),
    ("[[@sycl::reqd_work_group_size]] void f();", "expects one to three sizes, got 0"),
    ("[[sycl::reqd_sub_group_size(8, @8)]] void f();", "expects one size, got 2"),
    (
        "[[sycl::reqd_sub_group_size(@1.5)]] void f();",
        "expects integers, got a value of type 'double'",
    ),
    (
        "[[sycl::reqd_sub_group_size(@true)]] void f();",
        "expects integers, got a value of type 'bool'",
    ),
    (
        "[[sycl::reqd_sub_group_size(@aspect::cpu)]] void f();",
        "expects integers, got a value of type 'sycl::aspect'",
    ),
    ("[[@sycl::device_has()]] int x;", "'sycl::device_has' attribute only applies to functions"),
    ("int [[@sycl::device_has()]] x;", "'sycl::device_has' attribute only applies to functions"),
    (
        "struct [[@sycl::device_has()]] S {};",
        "'sycl::device_has' attribute only applies to functions",
    ),
    (
        "struct [[@sycl::requires(has())]] S {};",
        "'sycl::requires' attribute only applies to functions",
    ),
    (
        "using T [[@sycl::requires(has())]] = int;",
        "'sycl::requires' attribute only applies to functions",
    ),
    ("enum [[@sycl::device_has()]] E {};", "attribute only applies to functions"),
    ("namespace [[@sycl::device_has()]] n {}", "attribute only applies to functions"),
    ("void f([[@sycl::device_has()]] int x);", "attribute only applies to functions"),
    ("struct S { [[@sycl::device_has()]] int x; };", "attribute only applies to functions"),
    ("void f() { [[@sycl::device_has()]] ; }", "attribute only applies to functions"),
    (
        "void f(int x) { if (x) [[@sycl::reqd_sub_group_size(8)]] x = 1; }",
        "attribute only applies to functions",
    ),
    ("void f() { [[@sycl::device_has()]] auto l = [] {}; }", "attribute only applies to functions"),
    ("struct [[@sycl::reqd_work_group_size(8)]] S {};", "attribute only applies to functions"),
    ("using T = void() [[@sycl::device_has()]];", "attribute only applies to functions"),
    (
        "[[@__sycl_detail__::__uses_aspects__()]] int x;",
        "'sycl_detail::uses_aspects' attribute only applies to functions and types",
    ),
    (
        "[[sycl::device_has()]] void f();\n[[@sycl::device_has(aspect::cpu)]] void f();",
        "'sycl::device_has' conflicts with an earlier attribute",
    ),
    (
        "[[sycl::device_has(aspect::cpu), @sycl::requires(has(aspect::fp16))]] void f();",
        "'sycl::requires' conflicts with an earlier attribute",
    ),
    (
        "[[sycl::reqd_sub_group_size(8), @sycl::reqd_sub_group_size(16)]] void f();",
        "'sycl::reqd_sub_group_size' conflicts with an earlier attribute",
    ),
    (
        "[[sycl::reqd_work_group_size(8, 4)]] void f();\n"
        "[[@sycl::reqd_work_group_size(4, 8)]] void f() {}",
        "'sycl::reqd_work_group_size' conflicts with an earlier attribute",
    ),
    (
        "[[sycl::device_has()]] void f() [[@sycl::device_has(aspect::cpu)]];",
        "'sycl::device_has' conflicts with an earlier attribute",
    ),
]


@pytest.mark.parametrize(("text", "message"), CASES, ids=[text for text, _ in CASES])
def test_errors(read_marked: "Read", text: str, message: str) -> None:
    before, _, _ = text.partition("@")
    line, column = before.count("\n") + 2, len(before) - (before.rfind("\n") + 1) + 1
    with pytest.raises(CompileError) as caught:
        read_marked(text.replace("@", ""))
    first = caught.value.message.partition("\n")[0]
    assert first.startswith(f"<stdin>:{line}:{column}: error: ")
    assert message in first
    assert caught.value.message.count("error:") == 1


@pytest.mark.parametrize(
    "text",
    [
        "[[sycl::device_has(aspect::cpu, aspect::fp16)]] void f();\n"
        "[[sycl::requires(has(aspect::fp16, aspect::cpu))]] void f();",
        "[[sycl::reqd_work_group_size(8)]] void f();\n[[sycl::reqd_work_group_size(8u)]] void f();",
        "USES_AMX void f(); USES_FP16 void f();",
        "template <int N> [[sycl::reqd_sub_group_size(N)]] void f() {}",
        "template <int N> struct USES_AMX S { [[sycl::device_has(N)]] void f() {} };",
        "enum class USES_AMX E {}; typedef int T USES_AMX; using U USES_AMX = int;",
    ],
)
def test_valid_attributes(read_marked: "Read", text: str) -> None:
    read_marked(text)


def test_instance_is_named(read_marked: "Read") -> None:
    with pytest.raises(CompileError) as caught:
        read_marked(
            "template <int N> struct S { [[sycl::reqd_sub_group_size(N)]] void f() {} };\n"
            "void g() {\n  S<0>().f(); }"
        )
    assert (
        "<stdin>:4:10: note: in instantiation of 'S<0>::f' requested here" in caught.value.message
    )


def test_place_of_the_previous_attribute(read_marked: "Read") -> None:
    with pytest.raises(CompileError) as caught:
        read_marked("[[sycl::device_has()]] void f();\nvoid f() [[sycl::device_has(aspect::cpu)]];")
    assert "<stdin>:2:3: note: the earlier attribute is here" in caught.value.message
