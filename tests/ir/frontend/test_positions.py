"""Dovetail's attributes are kept wherever clang accepts an annotation.

Clang prints the tree it made; what it has of ours is counted there, since annotated types leave no
trace in the IR.
"""

import subprocess

import pytest

from dovetail.resources import CLANG, plugin_path, tool_path

CONCEPT = "template <class T> concept C = true; "
KINDS = ("AnnotateAttr", "annotate_type")


def tree(text: str) -> tuple[str, str]:
    """Return AST and messages of a text in which ATTR is one of Dovetail's attributes."""
    text = text.replace("ATTR", "[[sycl::device_has(1)]]")
    words = (f"-fplugin={plugin_path()}", "-std=c++23", "-Wno-deprecated", "-fsyntax-only")
    finished = subprocess.run(
        (tool_path(CLANG), *words, "-Xclang", "-ast-dump", "-x", "c++", "-"),
        input=text,
        capture_output=True,
        text=True,
    )
    return finished.stdout, finished.stderr


def check_kept(text: str, kind: str) -> None:
    printed, messages = tree(text)
    assert messages == ""
    assert [k for k in KINDS if k in printed] == [kind]
    if kind == "AnnotateAttr":
        assert printed.count('"dovetail.device_has"') >= text.count("ATTR")


@pytest.mark.parametrize(
    "text",
    [
        "ATTR void f();",
        "void f ATTR ();",
        "ATTR ATTR void f();",
        "__attribute__((used)) ATTR void f() {}",
        "ATTR __attribute__((used)) void f() {}",
        "alignas(8) ATTR int x;",
        "struct alignas(8) ATTR S {};",
        "template <class T> ATTR void f();",
        CONCEPT + "template <class T> requires (C<T>) ATTR void f();",
        CONCEPT + "template <class T> requires C<T> && (sizeof(T) > 1) ATTR void f();",
        CONCEPT + "template <class T> requires C<T> ATTR void f();",
        "template <class T> requires requires(T t) { t.x; } ATTR void f();",
        "void f(int x) { if (x) ATTR x = 1; else ATTR x = 2; }",
        "void f(int x) { if constexpr (true) ATTR x = 1; }",
        "void f(int x) { while (x) ATTR { x = 1; } do ATTR { } while (x); }",
        "void f() { for (int i = 0; i < 3; ++i) ATTR { } }",
        "void f(int x) { switch (x) { case 1: ATTR x = 1; break; default: ATTR x = 2; } }",
        "int f(int x) { if (x) [[likely]] x = 2; return [] ATTR () { return 1; }(); }",
        "int f(int x) { if (x) [[likely]] x = 2; return [] ATTR { return 1; }(); }",
        "auto l = [] <class T> ATTR (T) {};",
        CONCEPT + "auto l = [] <class T> requires (C<T>) ATTR (T) {};",
        "struct S { S ATTR (); ATTR S(int); ~S ATTR (); }; S::S ATTR () {}",
        "template <class T> struct V { V(); }; template <class T> V<T>::V ATTR () {}",
        "struct S { void operator* ATTR (int); void operator[] ATTR (int); };",
        "struct S { void operator() ATTR (int); bool operator< ATTR (S); };",
        "struct S { void *operator new ATTR (unsigned long); };",
        "int x ATTR = 1, y ATTR{2}, z ATTR;",
        "struct T {}; T x ATTR;",
        "template <class T> void f(T); template <> void f<int> ATTR (int);",
        "void f(int x ATTR, ATTR int y);",
        "void (*x ATTR)(int); void (f ATTR)();",
        "struct S { int x : 3, y ATTR : 2; public: ATTR int z; void f() {} ATTR void g(); };",
        "enum ATTR E { a ATTR, b ATTR = 2 };",
        "namespace ATTR n { ATTR void f(); } ATTR void g();",
        "using T ATTR = int;",
        'extern "C" ATTR void f(); extern "C" { ATTR void g(); }',
        "struct S {}; ATTR int x; enum E {}; ATTR int y;",
    ],
)
def test_on_declarations_and_statements(text: str) -> None:
    check_kept(text, "AnnotateAttr")


@pytest.mark.parametrize(
    "text",
    [
        "void f() ATTR;",
        "void f() ATTR ATTR {}",
        "struct S { void f() const ATTR; };",
        "struct S { void f() volatile ATTR; };",
        "struct S { void f() & ATTR; void f() && ATTR; };",
        "void f() noexcept ATTR;",
        "void f() noexcept(true) ATTR;",
        "void f() throw() ATTR;",
        "auto f() ATTR -> int;",
        "auto f() -> int ATTR { return 1; }",
        "struct T {}; auto f() -> T ATTR { return {}; }",
        CONCEPT + "template <class T> requires C<T> void f() ATTR;",
        CONCEPT + "template <class T> void f() ATTR requires C<T>;",
        "auto l = [] () ATTR {};",
        "auto l = [] () mutable ATTR {};",
        "auto l = [] () constexpr ATTR {};",
        "auto l = [] () noexcept(true) ATTR -> int { return 1; };",
        "auto l = [] () -> int ATTR { return 1; };",
        "auto l = [] <class T> (T) ATTR -> int { return 1; };",
        "struct S { S() ATTR : x(1) {} int x; };",
        "struct S { operator int ATTR (); };",
        "int ATTR x;",
        "namespace n { struct T {}; } n::T ATTR x;",
        "template <class T> struct V {}; V<int> ATTR x;",
        "int * ATTR x;",
        "int x[3] ATTR;",
        "void (*x)(int) ATTR;",
        "struct S {} ATTR s;",
        "decltype(1) ATTR x;",
        "using T = void() ATTR;",
    ],
)
def test_on_types(text: str) -> None:
    check_kept(text, "annotate_type")


def test_where_clang_accepts_no_annotation() -> None:
    printed, messages = tree("struct B {}; struct S : ATTR B {};")
    assert "warning: unknown attribute 'sycl::device_has' ignored" in messages
    assert "error" not in messages
    assert "CXXRecordDecl" in printed


def test_long_headers_leave_no_trace() -> None:
    printed, messages = tree(
        "#include <functional>\n#include <map>\n#include <tuple>\n"
        "ATTR int last; struct T {}; T ATTR t;"
    )
    assert messages == ""
    assert all(kind in printed for kind in KINDS)


@pytest.mark.parametrize(
    ("text", "unknown", "kept"),
    [
        ("[[sycl::other(int)]] void f();", ["sycl::other"], []),
        ("[[sycl::noinline]] void f();", ["sycl::noinline"], []),
        ("[[sycl]] void f();", ["sycl"], []),
        ("[[sycl::other, sycl::requires(1)]] void f();", ["sycl::other"], ["requires"]),
        (
            "[[using sycl: device_has(1), likely, requires(2)]] void f();",
            ["sycl::likely"],
            ["device_has", "requires"],
        ),
        ("[[using sycl: likely, device_has(1)]] void f();", ["sycl::likely"], ["device_has"]),
        ("[[using sycl: noinline]] void f();", ["sycl::noinline"], []),
        ("#define A(x) [[sycl::x(1)]]\nA(device_has) A(b) void f();", ["sycl::b"], ["device_has"]),
        ("[[sycl::device_has]] void f();", [], ["device_has"]),
    ],
)
def test_other_names_are_not_changed(text: str, unknown: list[str], kept: list[str]) -> None:
    printed, messages = tree(text)
    assert "error" not in messages
    assert messages.count("warning:") == len(unknown)
    assert all(f"unknown attribute '{name}' ignored" in messages for name in unknown)
    assert printed.count("AnnotateAttr") == len(kept)
    assert all(f'"dovetail.{name}"' in printed for name in kept)
    assert "NoInlineAttr" not in printed


@pytest.mark.parametrize("text", ["[[sycl::device_has(1)", "[[sycl::", "[[sycl", "[[using sycl:"])
def test_unfinished_lists_are_errors(text: str) -> None:
    _, messages = tree(text)
    assert "error: expected ']'" in messages
