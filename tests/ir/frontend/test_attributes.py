"""Our attributes reach the AST in every form that C++ allows.

What the plugin kept is seen through the annotations that clang then writes into the IR.
"""

import re
from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError

if TYPE_CHECKING:
    from conftest import Compile

USED = "[[clang::sycl_external]] void keep() { f(); }"
ASPECTS = "namespace sycl { enum class aspect { a, b }; } using sycl::aspect;\n"
CONSTANTS = ASPECTS + "inline constexpr aspect A = aspect::a, B = aspect::b;\n"


def annotation_names(text: str) -> set[str]:
    return set(re.findall(r'c"dovetail\.(\w+)\\00"', text))


@pytest.mark.parametrize(
    "declaration",
    [
        "[[sycl::device_has(A, B)]] void f() {}",
        "[[__sycl__::__device_has__(A)]] void f() {}",
        "[[sycl::device_has()]] void f() {}",
        "[[ sycl :: device_has ( A ) ]] void f() {}",
        "[[using sycl: device_has(A)]] void f() {}",
        "[[nodiscard, sycl::device_has(A)]] int g(); [[sycl::device_has(A)]] void f() {}",
        "[[maybe_unused, sycl::device_has((A), (A > B ? A : B)), gnu::noinline]] void f() {}",
        "#define HAS(...) [[sycl::device_has(__VA_ARGS__)]]\nHAS(A, B) void f() {}",
        "template <aspect... N> [[sycl::device_has(N...)]] void g() {} void f() { g<A, B>(); }",
        "template <class T> struct S { [[sycl::device_has(T::value)]] void g() {} };\n"
        "struct V { static constexpr auto value = A; };\n"
        "void f() { S<V>().g(); }",
        "void f() { int a[1] = {0}; auto g = [=]() { return a[0]; }; (void)g();"
        " [[maybe_unused]] int b = a[a[0]]; } [[sycl::device_has(A)]] void h() {}\n"
        "[[clang::sycl_external]] void keep_h() { h(); }",
        "struct S { [[sycl::device_has(A)]] void operator()() const {} }; void f() { S()(); }",
    ],
)
def test_kept(compile_text: "Compile", declaration: str) -> None:
    text = compile_text(f"{CONSTANTS}{declaration}\n{USED}").module.to_text()
    assert annotation_names(text) == {"device_has"}


def test_every_attribute_of_ours(compile_text: "Compile") -> None:
    text = compile_text(
        CONSTANTS
        + "[[sycl::requires(A), sycl::reqd_work_group_size(8, 4), sycl::reqd_sub_group_size(16),"
        " sycl::work_group_size_hint(2), __sycl_detail__::__uses_aspects__(B)]] void f() {}\n"
        + USED,
        standard="c++20",  # where `requires` is a keyword
    ).module.to_text()
    assert annotation_names(text) == {
        "requires",
        "reqd_work_group_size",
        "reqd_sub_group_size",
        "work_group_size_hint",
        "uses_aspects",
    }


def test_after_a_lambdas_parameters(compile_text: "Compile") -> None:
    # It belongs to the type there, which has no trace in the IR; that clang takes it is the point.
    compile_text(CONSTANTS + "void f() { [](int) [[sycl::device_has(A)]] {}(1); }\n" + USED)


def test_arguments_survive_tentative_parsing(compile_text: "Compile") -> None:
    # Clang reads `(int [[...]] a)` once to find out what it is, and then again.
    parameter = '[[__sycl_detail__::add_ir_attributes_kernel_parameter("a", 1)]] int a'
    compile_text(f"int g({parameter});\nvoid f() {{}}\n{USED}")


def test_wrong_argument_is_an_error_in_the_users_words(compile_text: "Compile") -> None:
    with pytest.raises(
        CompileError, match=r"<stdin>:1:20: error: use of undeclared identifier 'x'"
    ):
        compile_text("[[sycl::device_has(x)]] void f() {}")


def test_other_attributes_are_not_changed(compile_text: "Compile") -> None:
    text = compile_text('[[clang::annotate("theirs")]] void f() {}\n' + USED).module.to_text()
    assert "theirs" in text
    assert annotation_names(text) == set()
