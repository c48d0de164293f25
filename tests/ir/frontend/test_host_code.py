"""Host code that clang would compile with device code: none of it is in the device's module."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Compile

START = (
    '#pragma clang diagnostic ignored "-Wexceptions"\n'
    '#pragma clang diagnostic ignored "-Wunused-but-set-variable"\n'
    "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]] void start(F f) { f(); }\n"
)
THROWN = "struct Thrown { Thrown(); Thrown(const Thrown &); ~Thrown(); };\n"
TABLE = "static const int table[] = {11, 22, 33};"
# What clang compiles to an invalid module for SPIR-V, or for every device.
HOST_ONLY = {
    "throw": "throw Thrown();",
    "try": "try { start<class U>([] {}); } catch (Thrown &) { throw; }",
    "thread-local": "static thread_local int count; ++count;",
    "assembly": 'asm volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");',
}


@pytest.mark.parametrize("host_only", HOST_ONLY.values(), ids=HOST_ONLY.keys())
@pytest.mark.parametrize(
    "function",
    [
        "void use(int *out) { BODY }",
        "template <class T> void use(T *out) { BODY } template void use(int *);",
        "struct S { S(int *out) : t() { BODY } Thrown t; }; void use(int *out) { S s(out); }",
        "struct S { ~S() { BODY } Thrown t; int *out; }; void use(S &s) { s.~S(); }",
        "void use(int *out) { [&] { BODY }(); }",
        "struct S { operator int() { BODY return 1; } int *out; }; int use(S s) { return s; }",
        "void use(int *out) try { BODY } catch (...) {}",
    ],
    ids=["function", "template", "constructor", "destructor", "lambda", "conversion", "try block"],
)
def test_around_a_static_constant(compile_text: "Compile", function: str, host_only: str) -> None:
    body = f"{TABLE} start<class K>([=, p = out] {{ const int *t = table; *p = t[1]; }}); "
    text = START + THROWN + function.replace("BODY", body + host_only)
    module = compile_text(text).module
    module.verify()
    assert "5table = " in module.to_text()
    assert "[3 x i32] [i32 11, i32 22, i32 33]" in module.to_text()
    assert "@_ZN6ThrownC1" not in module.to_text()


@pytest.mark.parametrize("host_only", HOST_ONLY.values(), ids=HOST_ONLY.keys())
@pytest.mark.parametrize(
    "text",
    [
        "struct V { int x = 3; virtual int get() { BODY return x; } };\n"
        "void r(int *p) { start<class K>([=] { V v; *p = v.x; }); }",
        "struct V { int x = 3; virtual ~V() { BODY } Thrown t; };\n"
        "struct D : V { D() = delete; };\n"
        "void r(int *p) { start<class K>([=] { *p = 3; }); } void h() { V v; }",
        "struct V { virtual int get(); virtual ~V(); }; int V::get() { BODY return 1; }\n"
        "V::~V() { BODY } void r(int *p) { start<class K>([=] { *p = 1; }); }",
        "inline int get(int x) { BODY return x; } struct E { int a; int (*f)(int); };\n"
        "constexpr E list[] = {{1, get}, {2, get}};\n"
        "void r(int *p) { start<class K>([=] { const E *e = list; *p = e[1].a; }); }",
        "struct M { int get() { BODY return 1; } }; struct E { int a; int (M::*f)(); };\n"
        "constexpr E one = {1, &M::get};\n"
        "void r(int *p) { start<class K>([=] { const E *e = &one; *p = e->a; }); }",
        "struct E { int a; int (*f)(int); };\n"
        "static const E one = {1, [](int x) { BODY return x; }};\n"
        "void r(int *p) { start<class K>([=] { const E *e = &one; *p = e->a; }); }",
        "struct E { int a; int (*f)(int); };\n"
        "static const E one = {1, [](auto x) { BODY return x; }};\n"
        "void r(int *p) { start<class K>([=] { const E *e = &one; *p = e->a; }); }",
        "static int get(int x) { BODY return x; } using F = int (*)(int);\n"
        "static const F inner = get; struct E { int a; const F *f; };\n"
        "static const E one = {1, &inner};\n"
        "void r(int *p) { start<class K>([=] { const E *e = &one; *p = e->a; }); }",
        'extern "C" int get(int x) { BODY return x; } int other(int) __attribute__((alias("get")));'
        "void r(int *p) { start<class K>([=] { *p = 1; }); }",
    ],
    ids=[
        "virtual function",
        "virtual destructor",
        "vtable of the host's",
        "function pointer",
        "member function pointer",
        "lambda",
        "generic lambda",
        "pointer to a pointer",
        "alias",
    ],
)
def test_named_and_not_called(compile_text: "Compile", text: str, host_only: str) -> None:
    module = compile_text(START + THROWN + text.replace("BODY", host_only)).module
    module.verify()
    assert "@_ZN6ThrownC1" not in module.to_text()


def test_functions_called_by_device_code_are_kept(compile_text: "Compile") -> None:
    text = compile_text(
        START + "struct V { int x = 3; virtual int get() { return x * 77; } };\n"
        "void r(int *p) { start<class K>([=] { V v; *p = v.get() + v.V::get(); }); }"
    ).module.to_text()
    assert "mul nsw i32 %" in text
    assert ", 77" in text
