"""Facts about function attributes, in every form that C++ allows."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

FORMS = {
    "plain": "[[@device_has@sycl::device_has(aspect::fp64)]] EXTERNAL void f() {}",
    "underscored": "[[@device_has@__sycl__::__device_has__(aspect::fp64)]] EXTERNAL void f() {}",
    "using": "[[using sycl: @device_has@device_has(aspect::fp64)]] EXTERNAL void f() {}",
    "requires": "[[@requires@sycl::requires(has(aspect::fp64))]] EXTERNAL void f() {}",
    "requires without has": "[[@requires@sycl::requires(aspect::fp64)]] EXTERNAL void f() {}",
    "macro": "#define HAS(...) [[sycl::device_has(__VA_ARGS__)]]\n"
    "@device_has@HAS(aspect::fp64) EXTERNAL void f() {}",
    "behind parameters": "EXTERNAL void f() [[@device_has@sycl::device_has(aspect::fp64)]] {}",
    "behind the name": "EXTERNAL void f [[@device_has@sycl::device_has(aspect::fp64)]] () {}",
    "method": "struct S { [[@device_has@sycl::device_has(aspect::fp64)]] void f(); };\n"
    "void S::f() {} EXTERNAL void r(S s) { s.f(); }",
    "inherited": "[[@device_has@sycl::device_has(aspect::fp64)]] EXTERNAL void f();\nvoid f() {}",
    "inherited from behind parameters": "EXTERNAL void f() [[@device_has@sycl::device_has("
    "aspect::fp64)]];\nvoid f() {}",
    "repeated": "[[sycl::device_has(aspect::fp64)]] EXTERNAL void f();\n"
    "[[@device_has@sycl::device_has(aspect::fp64)]] void f() {}",
    "constant": "constexpr aspect a = aspect::fp64;\n"
    "[[@device_has@sycl::device_has(a)]] EXTERNAL void f() {}",
    "two names for one": "[[@device_has@sycl::device_has(aspect::fp64),"
    " sycl::requires(has(aspect::fp64))]]\nEXTERNAL void f() {}",
    "template": "template <aspect A> [[@device_has@sycl::device_has(A)]] void f() {}\n"
    "EXTERNAL void r() { f<aspect::fp64>(); }",
    "template declared before": "template <aspect A> [[@device_has@sycl::device_has(A)]] void"
    " f();\n"
    "template <aspect A> void f() {} EXTERNAL void r() { f<aspect::fp64>(); }",
    "pack": "template <aspect... A> [[@requires@sycl::requires(has(A...))]] void f() {}\n"
    "EXTERNAL void r() { f<aspect::fp64>(); }",
    "member of a template": "template <aspect A> struct S {"
    " [[@device_has@sycl::device_has(A)]] void f() {} };\n"
    "EXTERNAL void r() { S<aspect::fp64>().f(); }",
    "lambda": "EXTERNAL void r() { [] [[@device_has@sycl::device_has(aspect::fp64)]] () {}(); }",
    "lambda, behind parameters": "EXTERNAL void r() {\n"
    "[]() [[@device_has@sycl::device_has(aspect::fp64)]] {}(); }",
    "lambda in a template": "template <aspect A> void t() {\n"
    "[] [[@device_has@sycl::device_has(A)]] () {}(); } EXTERNAL void r() { t<aspect::fp64>(); }",
    "lambda in a template, behind parameters": "template <aspect... A> void t() {\n"
    "[]() [[@requires@sycl::requires(has(A...))]] {}(); } EXTERNAL void r() { t<aspect::fp64>(); }",
    "generic lambda": "EXTERNAL void r() {\n"
    "[](auto) [[@device_has@sycl::device_has(aspect::fp64)]] {}(1); }",
    "kernel's lambda": "void host() {\n"
    "start<class K>([]() [[@device_has@sycl::device_has(aspect::fp64)]] {}); }",
    "function object": "struct F {"
    " [[@device_has@sycl::device_has(aspect::fp64)]] void operator()() const {} };\n"
    "void host(F f) { start<class K>(f); }",
    "declared elsewhere": "[[@device_has@sycl::device_has(aspect::fp64)]] EXTERNAL void f();\n"
    "EXTERNAL void r() { f(); }",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=list(FORMS))
def test_forms(read_marked: "Read", text: str) -> None:
    reading = read_marked(text)
    (declared,) = (f.declared for f in reading.facts.functions if f.declared)
    assert declared.aspects == (6,)
    place = declared.place
    assert {(declared.attribute, place.line, place.column)} == reading.marked


@pytest.mark.parametrize(
    ("arguments", "aspects"),
    [
        ("device_has()", ()),
        ("device_has", ()),
        ("requires(has())", ()),
        ("requires()", ()),
        ("device_has(aspect::fp64, aspect::fp16)", (6, 5)),
        ("requires(has(aspect::fp16, (aspect)(1 + 5)))", (5, 6)),
    ],
)
def test_arguments(read_marked: "Read", arguments: str, aspects: tuple[int, ...]) -> None:
    for standard in ("c++17", "c++20"):  # where `requires` is a keyword
        reading = read_marked(f"[[sycl::{arguments}]] EXTERNAL void f() {{}}", standard)
        declared = reading.function("f").declared
        assert declared is not None
        assert declared.aspects == aspects


def test_has_may_be_a_name_of_the_users(read_marked: "Read") -> None:
    reading = read_marked(
        "constexpr aspect has = aspect::fp64;\n[[sycl::device_has(has)]] EXTERNAL void f() {}"
    )
    declared = reading.function("f").declared
    assert declared is not None
    assert declared.aspects == (6,)


def test_a_function_without_attributes_declares_nothing(read_marked: "Read") -> None:
    function = read_marked("EXTERNAL void f() {}").function("f")
    assert function.declared is None
    assert function.reqd_work_group_size == function.work_group_size_hint == ()
    assert function.reqd_sub_group_size is None


@pytest.mark.parametrize("size", [2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
def test_large_sizes(read_marked: "Read", size: int) -> None:
    function = read_marked(
        f"[[sycl::reqd_work_group_size(2, {size}u), sycl::work_group_size_hint({size}u)]]"
        " EXTERNAL void f() {}\n"
    ).function("f")
    assert function.reqd_work_group_size == (2, size)
    assert function.work_group_size_hint == (size,)


def test_sizes(read_marked: "Read") -> None:
    reading = read_marked(
        "[[sycl::reqd_work_group_size(8)]] EXTERNAL void one() {}\n"
        "[[sycl::reqd_work_group_size(2, 3), sycl::reqd_sub_group_size(16)]] EXTERNAL void two();\n"
        "void two() {}\n"
        "[[using sycl: work_group_size_hint(2, 3, 5)]] EXTERNAL void three() {}\n"
        "template <int... N> [[sycl::reqd_work_group_size(N...)]] void pack() {}\n"
        "EXTERNAL void f() { pack<4, 5, 6>(); }"
    )
    assert reading.function("one").reqd_work_group_size == (8,)
    assert reading.function("two").reqd_work_group_size == (2, 3)
    assert reading.function("two").reqd_sub_group_size == 16
    assert reading.function("three").work_group_size_hint == (2, 3, 5)
    assert reading.function("pack<4, 5, 6>").reqd_work_group_size == (4, 5, 6)
