"""Errors in lists of properties are reported at the argument, or at the attribute.

`@` stands where the error is.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError
from dovetail.frontend import Flags, Source, compile_command, run_clang

if TYPE_CHECKING:
    from conftest import Read

LIST = "__sycl_detail__::add_ir_attributes_function"
NAMED = "'sycl_detail::add_ir_attributes_function'"
TYPES = (
    "expects property values that are strings, numbers, booleans, characters or enumerators,"
    " got a value of type"
)
ODD = "expects as many values as names of properties, got an odd number of arguments,"
NAMES = "expects property names as strings, got a value of type"

CASES = [
    (f'[[@{LIST}("a")]] void f();', f"{NAMED} {ODD} 1"),
    (f'[[@{LIST}("a", "b", 1)]] void f();', f"{NAMED} {ODD} 3"),
    (f'[[@{LIST}({{"a"}}, "a", "b", 1)]] void f();', f"{NAMED} {ODD} 3"),
    (
        '[[@__sycl_detail__::__add_ir_function_attributes__("a")]] void f();',
        f"'sycl_detail::add_ir_function_attributes' {ODD} 1",
    ),
    (
        'struct [[@__sycl_detail__::add_ir_attributes_global_variable("a")]] s;',
        f"'sycl_detail::add_ir_attributes_global_variable' {ODD} 1",
    ),
    (
        'struct [[@__sycl_detail__::add_ir_attributes_kernel_parameter("a")]] s {};',
        f"'sycl_detail::add_ir_attributes_kernel_parameter' {ODD} 1",
    ),
    (
        'struct s { int x [[@__sycl_detail__::add_ir_annotations_member("a")]]; };',
        f"'sycl_detail::add_ir_annotations_member' {ODD} 1",
    ),
    (
        'template <class T> struct s { T x [[@__sycl_detail__::add_ir_member_annotation("a")]]; };'
        " s<int> one; s<float> two;",
        f"'sycl_detail::add_ir_member_annotation' {ODD} 1",
    ),
    (f'[[@{LIST}("a")]] int x;', f"{NAMED} {ODD} 1"),
    (f"[[{LIST}(@1, 1)]] void f();", f"{NAMED} {NAMES} 'int'"),
    (f"[[{LIST}(@nullptr, 1)]] void f();", NAMES),
    (f'[[{LIST}(@L"a", 1)]] void f();', f"{NAMES} 'const wchar_t[2]'"),
    (f'[[{LIST}(@"", 1)]] void f();', f"{NAMED} expects property names that are not empty"),
    (f'[[{LIST}({{@1}}, "a", 1)]] void f();', f"{NAMED} {NAMES} 'int'"),
    (
        f'[[{LIST}(@"noinline", "")]] void f();',
        "expects property names that are not attributes of LLVM, got 'noinline'",
    ),
    (f'[[{LIST}("a", @sizes())]] void f();', f"{NAMED} {TYPES} 'sizes'"),
    (f'constexpr int *p = nullptr; [[{LIST}("a", @p)]] void f();', f"{NAMED} {TYPES} 'int *'"),
    (f'[[{LIST}("a", @L"b")]] void f();', f"{NAMED} {TYPES} 'const wchar_t[2]'"),
    (f'[[{LIST}("a", @&sizes::x)]] void f();', f"{NAMED} {TYPES} 'int sizes::*'"),
    (f'[[{LIST}("a", int@)]] void f();', "expected '(' for function-style cast"),
    (f'[[{LIST}("a", @unknown)]] void f();', "use of undeclared identifier 'unknown'"),
    (
        f'int n; [[{LIST}("a", @n)]] void f();',
        f"{NAMED} attribute requires parameter 2 to be a constant expression",
    ),
    (
        f'const char *n; [[{LIST}(@n, "a")]] void f();',
        f"{NAMED} attribute requires parameter 1 to be a constant expression",
    ),
    (
        f"constexpr char open[] = {{'a'}}; [[{LIST}(\"a\", @open)]] void f();",
        f"{NAMED} expects constant expressions",
    ),
    (f"[[{LIST}(\"a\", @'\\xe9')]] void f();", f"{NAMED} expects text in UTF-8"),
    (f'[[{LIST}("a", @"\\xe9")]] void f();', f"{NAMED} expects text in UTF-8"),
    (
        f'[[{LIST}("a", @static_cast<char16_t>(0xd800))]] void f();',
        f"{NAMED} expects Unicode characters",
    ),
    (
        f'[[{LIST}("a", @"a", 1, 2)]] void f();',
        f"{NAMED} gives property 'a' two values, '1' and '2'",
    ),
    (f'auto l = []() [[{LIST}("a", @sizes())]] {{}};', f"{TYPES} 'sizes'"),
    (f'template <class T> [[@{LIST}("a")]] void f(T) {{}} void g() {{ f(1); }}', f"{ODD} 1"),
    (
        f'template <class T> [[{LIST}("a", @T())]] void f() {{}} void g() {{ f<sizes>(); }}',
        f"{TYPES} 'sizes'",
    ),
    (
        f"template <class... T> [[{LIST}(T::name..., @T::value...)]] void f() {{}}"
        ' struct p { static constexpr auto name = "a"; static constexpr sizes value{}; };'
        " void g() { f<p>(); }",
        f"{TYPES} 'sizes'",
    ),
]


@pytest.mark.parametrize(("text", "message"), CASES, ids=[text for text, _ in CASES])
def test_errors(read_marked: "Read", text: str, message: str) -> None:
    before, _, _ = text.partition("@")
    with pytest.raises(CompileError) as caught:
        read_marked(f"struct sizes {{ int x = 1; }};\n{text.replace('@', '')}", "c++20")
    first = caught.value.message.partition("\n")[0]
    assert first.startswith(f"<stdin>:3:{len(before) + 1}: error: ")
    assert message in first
    assert caught.value.message.count("error:") == 1


@pytest.mark.parametrize(
    "text",
    [
        f"[[{LIST}()]] void f(); [[{LIST}]] void g();",
        f'[[{LIST}("a", 1)]] void f(); [[{LIST}("a", 1)]] void f();',
        f'[[{LIST}("a", "a", 1, 1)]] void f();',
        f'[[{LIST}({{"a"}}, "a", "b", 1, nullptr)]] void f();',
        f'template <class... T> [[{LIST}(T::a..., "x")]] void f() {{}}',
        'struct s { int x [[__sycl_detail__::add_ir_annotations_member("noinline", "")]]; };',
    ],
)
def test_valid_lists(read_marked: "Read", text: str) -> None:
    read_marked(text)


def test_instance_of_a_headers_class(tmp_path: Path) -> None:
    # The header is right; what the user gives to it is not.
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "header.hpp").write_text(
        "template <class... P> struct\n"
        "[[__sycl_detail__::add_ir_attributes_global_variable(P::name..., P::value...)]]\n"
        "inner { int x; };\n"
        "template <class... P> struct outer { inner<P...> x; };\n"
        f"template <class... P> [[{LIST}(P::name..., P::value...)]] void run() {{}}\n"
        "template <class... P> void go(const P &...) { run<P...>(); }\n"
    )
    text = (
        "#include <header.hpp>\n"
        'struct v {}; struct bad { static constexpr auto name = "a"; static constexpr v value; };\n'
        "outer<bad> o;\n"
        "void f() { go(bad()); }\n"
    )
    source = Source.from_text(text)
    flags = Flags(include_directories=("-isystem", str(folder)))
    bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
    command = compile_command(source, flags, header=None, bitcode=bitcode, facts=facts)
    with pytest.raises(CompileError) as caught:
        run_clang(command, text.encode())
    message = caught.value.message
    variable = "'sycl_detail::add_ir_attributes_global_variable'"
    assert f"header.hpp:2:66: error: {variable} {TYPES} 'v'" in message
    assert "<stdin>:3:12: note: in instantiation of 'inner<bad>' requested here" in message
    assert f"header.hpp:5:81: error: {NAMED} {TYPES} 'v'" in message
    assert "<stdin>:4:12: note: in instantiation of 'run<bad>' requested here" in message
    assert message.count("error:") == 2
