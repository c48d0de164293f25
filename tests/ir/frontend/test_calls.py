"""The functions that device code reaches, and the places of calls: `@g@` marks a call of g."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

# Each of these uses something, so that none of them is left out.
TYPES = """
USES_AMX void g() {}
USES_AMX int h(int = 0) { return 1; }
struct Made { USES_AMX Made() {} USES_AMX Made(const Made &) {} };
struct Gone { USES_AMX ~Gone() {} };
struct Both : Gone { Made made; };
"""

CALLS = {
    "function": "EXTERNAL void f() { @g@g(); }",
    "first of several": "EXTERNAL void f() { @g@g(); g(); }",
    "argument": "EXTERNAL void f() { @h@h(h()); }",
    "in parentheses": "EXTERNAL void f() { @g@(g)(); }",
    "through a constant": "template <void (*F)()> void t() { @g@F(); }\n"
    "EXTERNAL void f() { @t<&g>@t<g>(); }",
    "function of a function": "void a() { @g@g(); } EXTERNAL void f() { @a@a(); }",
    "method": "struct S { USES_AMX void m() {} }; EXTERNAL void f(S *s) { s->@S::m@m(); }",
    "static method": "struct S { USES_AMX static void m() {} }; EXTERNAL void f(S s) {"
    " @S::m@S::m(); }",
    "static method of an object": "struct S { USES_AMX static void m() {} };\n"
    "EXTERNAL void f(S s) { @S::m@s.m(); }",
    "operator": "struct S {}; USES_AMX void operator+(S, S) {}\n"
    "EXTERNAL void f(S s) { s @operator+@+ s; }",
    "subscript": "struct S { USES_AMX int operator[](int) { return 1; } };\n"
    "EXTERNAL void f(S s) { @S::operator[]@s[1]; }",
    "conversion": "struct S { USES_AMX operator int() { return 1; } };\n"
    "EXTERNAL int f(S s) { return @S::operator int@s; }",
    "converting constructor": "struct S { USES_AMX S(int) {} }; EXTERNAL void f() {"
    " S s = @S::S@1; }",
    "constructor": "EXTERNAL void f() { Made @Made::Made@m; }",
    "destructor of a local variable": "EXTERNAL void f() { Gone @Gone::~Gone@x; }",
    "destructor of a temporary": "EXTERNAL void f() { @Gone::~Gone@Gone(); }",
    "destructor of a bound temporary": "EXTERNAL void f() { const Gone &r = @Gone::~Gone@Gone(); }",
    "destructors of an array": "EXTERNAL void f() { Gone @Gone::~Gone@x[3]; }",
    "explicit destructor": "EXTERNAL void f(Gone *p) { p->@Gone::~Gone@~Gone(); }",
    "of a number, which has none": "template <class T> void t(T *p) { p->~T(); @g@g(); }\n"
    "EXTERNAL void f(int *p) { @t<int>@t(p); }",
    "implicit constructor and destructor": "struct @Both::Both@@Both::~Both@S { Both both; };\n"
    "EXTERNAL void f() { S @S::S@@S::~S@s; }",
    "overloaded new and delete": "struct S {\n"
    "USES_AMX void *operator new(decltype(sizeof(0))) { return 0; }\n"
    "USES_AMX void operator delete(void *) {} };\n"
    "EXTERNAL void f() { S *s = @S::operator new@new S; @S::operator delete@delete s; }",
    "default argument": "void a(int = @h@h()) {} EXTERNAL void f() { a(); }",
    "default member initializer": "struct S { int x = @h@h(); S() {} };\n"
    "EXTERNAL void f() { S @S::S@s; }",
    "member initializer": "struct S { int x; S() : x(@h@h()) {} };\n"
    "EXTERNAL void f() { S @S::S@s; }",
    "lambda": "EXTERNAL void f() { auto l = [] { @g@g(); }; @f()::(lambda)::operator()@l(); }",
    "range for": "struct R { USES_AMX int *begin() { return 0; } USES_AMX int *end() { return"
    " 0; } };\n"
    "EXTERNAL void f(R r) { for (int x @R::begin@@R::end@: r) {} }",
    "loop": "EXTERNAL void f() { for (int i = @h@h(); i < 2; i += h()) @g@g(); }",
    "switch": "EXTERNAL void f(int x) { switch (@h@h()) { case 1: @g@g(); } }",
    "template": "template <class T> void t() { @g@g(); } EXTERNAL void f() { @t<int>@t<int>(); }",
    "virtual function that is known": "struct B { USES_AMX virtual void m() {} };\n"
    "EXTERNAL void f() { B b; b.@B::m@m(); }",
    "macro": "#define CALL(x) x()\nEXTERNAL void f() { CALL(@g@g); }",
    "unevaluated": "EXTERNAL int f() { return sizeof(h()) + noexcept(h()); }",
    "constant": "USES_AMX constexpr int c() { return 1; }\n"
    "EXTERNAL int f() { constexpr int n = c(); int a[c()]; return n; }",
    "declared elsewhere": "EXTERNAL void other(); EXTERNAL void f() { @other@other(); }",
    "recursion": "EXTERNAL void f() { @f@f(); }",
    "recursion of silent functions": "void b(int); void a(int x) { @b@b(x); }\n"
    "void b(int x) { if (x) @a@a(x); } void c() {} EXTERNAL void f() { @a@a(1); c(); }",
    "functions that say nothing": "void b() {} void a() { b(); } EXTERNAL void f() { a(); }",
    "built-in": "EXTERNAL float __spirv_ocl_sin(float);\n"
    "EXTERNAL float f(float x) { return __spirv_ocl_sin(x) + __builtin_sqrtf(x); }",
}


@pytest.mark.parametrize("text", CALLS.values(), ids=list(CALLS))
def test_calls(read_marked: "Read", text: str) -> None:
    reading = read_marked(TYPES.strip() + "\n" + text)
    first = len(TYPES.strip().split("\n")) + 2
    assert {call for call in reading.calls() if call[1] >= first} == reading.marked


def test_implicit_members_call_those_of_their_parts(read_marked: "Read") -> None:
    reading = read_marked(TYPES.strip() + "\nEXTERNAL void f() { Both b; Both c(b); }")
    functions = reading.facts.functions

    def called(function: int) -> list[str]:
        return sorted(functions[call.callee].symbol for call in functions[function].calls)

    (f,) = (i for i, function in enumerate(functions) if function.name == "f")
    assert called(f) == ["_ZN4BothC2ERKS_", "_ZN4BothC2Ev", "_ZN4BothD2Ev"]
    symbols = {function.symbol: i for i, function in enumerate(functions)}
    assert called(symbols["_ZN4BothC2Ev"]) == ["_ZN4MadeC2Ev"]
    assert called(symbols["_ZN4BothC2ERKS_"]) == ["_ZN4MadeC2ERKS_"]
    assert called(symbols["_ZN4BothD2Ev"]) == ["_ZN4GoneD2Ev"]


def test_kernel_and_its_object(read_marked: "Read") -> None:
    reading = read_marked(
        "template <class F> void run(const F &f) { f(1); }\n"
        "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]] void go(F f) {"
        " run(f); }\n"
        "struct Functor { void operator()(int) const {} void operator()() const {} };\n"
        "void host(Functor x) {\n  go<class A>([](int) {});\n  go<class B>(x);\n"
        "  start<class C>([] {});\n}"
    )
    functions, kernels = reading.facts.functions, reading.facts.kernels
    assert [kernel.name for kernel in kernels] == ["A", "B", "C"]
    for kernel in kernels:
        assert kernel.function is not None
        assert functions[kernel.function].symbol == kernel.symbol
        assert functions[kernel.function].is_defined
    objects = [functions[k.object_function or 0] for k in kernels]
    assert [function.place.line for function in objects] == [6, 4, 8]
    assert objects[1].symbol == "_ZNK7FunctorclEi"


def test_plain_kernel(read_marked: "Read") -> None:
    mark = '[[__sycl_detail__::add_ir_attributes_function("sycl-single-task-kernel", 0)]]'
    reading = read_marked(f"{mark} void k(double *x) {{ *x = 1.0; }}")
    (kernel,) = reading.facts.kernels
    assert (kernel.function, kernel.object_function) == (0, None)
    (function,) = reading.facts.functions
    assert (function.symbol, function.is_external) == ("_Z1kPd", False)
    assert len(function.uses) == 2


@pytest.mark.parametrize(
    ("text", "symbol", "internal"),
    [
        ("USES_AMX void a() {} EXTERNAL void f() { a(); }", "_Z1av", False),
        ("USES_AMX static void a() {} EXTERNAL void f() { a(); }", "_ZL1av", True),
        ("namespace { USES_AMX void a() {} } EXTERNAL void f() { a(); }", None, True),
        ('extern "C" USES_AMX void a() {} EXTERNAL void f() { a(); }', "a", False),
        ("USES_AMX inline void a() {} EXTERNAL void f() { a(); }", "_Z1av", False),
        ("EXTERNAL void f() { [] { amx_multiply(); }(); }", "_ZZ1fvENKUlvE_clEv", False),
        ("static void s() { [] { amx_multiply(); }(); } EXTERNAL void f() { s(); }", None, True),
    ],
)
def test_names(read_marked: "Read", text: str, symbol: str | None, internal: bool) -> None:
    functions = read_marked(text).facts.functions
    last = next(f for f in reversed(functions) if f.is_defined)
    assert last.is_internal is internal
    assert symbol is None or last.symbol == symbol


def test_definitions_and_declarations(read_marked: "Read") -> None:
    reading = read_marked(
        "EXTERNAL void there();\nEXTERNAL void here();\nvoid here() { there(); }\n"
        "namespace n { template <class T> struct S { void m(T) { amx_multiply(); } }; }\n"
        "EXTERNAL void f() { n::S<int>().m(1); }"
    )
    there, here = reading.function("there"), reading.function("here")
    assert (there.is_defined, there.is_external, there.place.line) == (False, True, 2)
    assert (here.is_defined, here.is_external, here.place.line) == (True, True, 4)
    method = reading.function("n::S<int>::m")
    assert (method.is_defined, method.is_external, method.place.line) == (True, False, 5)
