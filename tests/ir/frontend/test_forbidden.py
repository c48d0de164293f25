"""Violations of SYCL's rules for device code: `@throw@` marks one of the rule of that name."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

CASES = {
    "throw": "EXTERNAL void f() { @throw@throw 1; }",
    "throw in a call": "void g() { @throw@throw 1; } EXTERNAL void f() { g(); }",
    "throw that is not reached": "void g() { throw 1; } EXTERNAL void f() {}",
    "throw that is discarded": "EXTERNAL void f() { if constexpr (false) throw 1; }",
    "throw in the host's code": "void g() { throw 1; }\nvoid host() { start<class K>([] {});"
    " g(); }",
    "try": "EXTERNAL void f() { @try@try { } catch (...) { @throw@throw; } }",
    "function try": "EXTERNAL void f() @try@try { } catch (...) { }",
    "virtual call": "struct B { virtual void m() {} };"
    " EXTERNAL void f(B *b) { b->@virtual-call@m(); }",
    "call of a pure virtual": "struct B { virtual void m() = 0; };\n"
    "EXTERNAL void f(B &b) { b.@virtual-call@m(); }",
    "virtual operator": "struct B { virtual void operator()() {} };\n"
    "EXTERNAL void f(B &b) { @virtual-call@b(); }",
    "qualified call": "struct B { virtual void m() {} }; EXTERNAL void f(B &b) { b.B::m(); }",
    "call of a final function": "struct B { virtual void m() {} };\n"
    "struct D final : B { void m() override {} }; EXTERNAL void f(D &d) { d.m(); }",
    "call with a known object": "struct B { virtual void m() {} };"
    " EXTERNAL void f() { B b; b.m(); }",
    "delete by virtual destructor": "struct B { virtual ~B() {} void operator delete(void *)"
    " {} };\n"
    "EXTERNAL void f(B *b) { @virtual-call@delete b; }",
    "virtual function that nobody calls": "struct B { virtual void m() {} void n() {} };\n"
    "EXTERNAL void f(B *b) { b->n(); }",
    "function pointer": "EXTERNAL void f(void (*p)()) { @indirect-call@p();"
    " @indirect-call@(*p)(); }",
    "member of function type": "struct S { void (*p)(); };\n"
    "EXTERNAL void f(S s) { @indirect-call@s.p(); }",
    "pointer to member": "struct S { void m() {} };\n"
    "EXTERNAL void f(S s, void (S::*p)()) { @indirect-call@(s.*p)(); }",
    "address": "void g() {} EXTERNAL void f() { void (*p)() = @function-pointer@g;\n"
    "p = &@function-pointer@g; }",
    "address of a method": "struct S { void m() {} };\n"
    "EXTERNAL void f() { auto p = &S::@function-pointer@m; }",
    "address as an argument": "template <class T> void t(T) {} void g() {}\n"
    "EXTERNAL void f() { t(@function-pointer@g); }",
    "lambda made a pointer": "EXTERNAL void f() { void (*p)() = @function-pointer@[] {}; }",
    "function as a template argument": "template <void (*F)()> void t() { F(); } void g() {}\n"
    "EXTERNAL void f() { t<g>(); }",
    "lambda as an argument": "template <class T> void t(T x) { x(); }"
    " EXTERNAL void f() { t([] {}); }",
    "variadic call": 'extern "C" int scanf(const char *, ...);\n'
    'EXTERNAL void f() { @variadic@scanf("x"); }',
    "printf": 'extern "C" int printf(const char *, ...);\nEXTERNAL void f() { printf("x"); }',
    "library function": 'extern "C" int toupper(int);\n'
    "EXTERNAL void f() { @library-function@toupper(1); }",
    "allocation by name": 'extern "C" void *malloc(unsigned long);\n'
    "EXTERNAL void *f() { return @allocation@malloc(8); }",
    "functions of the device library": 'extern "C" void sincosf(float, float *, float *);\n'
    'extern "C" float sinf(float); EXTERNAL void f(float *x) { sincosf(sinf(1), x, x); }',
    "dynamic cast": "struct B { virtual void m(); }; struct D : B {};\n"
    "EXTERNAL bool f(B *b) { return @rtti@dynamic_cast<D *>(b); }",
    "static cast to a base": "struct B { virtual void m(); }; struct D : B {};\n"
    "EXTERNAL B *f(D *d) { return dynamic_cast<B *>(d); }",
    "typeid": "namespace std { class type_info; }\n"
    "EXTERNAL const void *f() { return &@rtti@typeid(int); }",
    "inline assembly": 'EXTERNAL void f() { @inline-assembly@asm volatile("nop"); }',
    "quadruple precision": "EXTERNAL int f(int x) { return int(@long-double@__float128(x)); }",
    "128 bits": "EXTERNAL long f(long x) { unsigned __int128 @int128@y = @int128@1;"
    " return x >> long(y); }\nlong g(long x) { return @int128@(__int128)x * @int128@x >> 64; }\n"
    "EXTERNAL long h(long x) { return g(x) + sizeof(__int128) + (_BitInt(128))x; }",
    "128 bits on the host": "template <class T> struct S { using type = T; };\n"
    "long g(long x) { return (__int128)x >> 3; }\n"
    "void host() { start<class K>([] { (void)sizeof(S<__int128>::type); }); g(2); }",
    "variadic function": "void g(int, ...) {} EXTERNAL void f() { @variadic@g(1, 2); }",
    "variadic root": "EXTERNAL int @variadic@f(int n, ...) { __builtin_va_list list;"
    " __builtin_va_start(list, n); return __builtin_va_arg(list, int); }",
    "variadic arguments": "EXTERNAL int f(__builtin_va_list list) {"
    " return @variadic@__builtin_va_arg(list, int); }",
    "array of variable length": "EXTERNAL int f(int n) { int @variable-length-array@a[n];"
    " return a[0]; }",
    "pointer to an array of variable length": "EXTERNAL int f(int n,"
    " int (*@variable-length-array@p)[n]) { return p[0][0]; }",
    "array of constant length": "constexpr int c = 2; EXTERNAL int f() { const int n = c * 2;"
    " int a[n]{}; return a[0]; }",
    "array of variable length on the host": "int g(int n) { int a[n]; return a[0]; }\n"
    "void host() { start<class K>([] {}); g(2); }",
    "variadic template": "template <class... T> void g(T...) {} EXTERNAL void f() { g(1, 2); }",
    "thread-local": "thread_local int t; EXTERNAL int f() { return @thread-local@t; }",
    "thread-local constant": "thread_local const int t = 1; int n;\n"
    "EXTERNAL const int *f() { return &@thread-local@t; }",
    "local thread-local": "EXTERNAL void f() { thread_local int @thread-local@t; }",
    "global variable": "int g; EXTERNAL int f() { return @global-variable@g; }",
    "static variable": "EXTERNAL int f() { static int @global-variable@n; return"
    " @global-variable@n; }",
    "static member": "struct S { static int n; }; EXTERNAL int f(S s) {\n"
    "return S::@global-variable@n + s.@global-variable@n; }",
    "global reference": "int g; int &r = g; EXTERNAL int f() { return @global-variable@r; }",
    "constant that is computed": "int g(); const int c = g(); EXTERNAL int f() {"
    " return @global-variable@c; }",
    "constant from elsewhere": "extern const int c;"
    " EXTERNAL int f() { return @global-variable@c; }",
    "constants": "const int a = 1; constexpr int b = 2; static const float t[2] = {1, 2};\n"
    "struct S { static constexpr int n = 3; }; enum { e };\n"
    "EXTERNAL int f(int i) { static const int l = 4; static constexpr int m = 5;\n"
    "return a + b + (int)t[i] + S::n + e + l + m; }",
    "constant object": "struct S { constexpr S() : x(1) {} int x; }; const S s;\n"
    "EXTERNAL int f() { return s.x; }",
    "inline constant": "template <class T> inline constexpr int v = sizeof(T);\n"
    "EXTERNAL int f() { return v<int>; }",
    "variable of a device": "__attribute__((opencl_local)) int g; EXTERNAL int f() { return g; }",
    "global in sizeof": "int g; EXTERNAL int f() { return sizeof(g); }",
    "long double": "EXTERNAL void f() { long double @long-double@x; }",
    "literal of long double": "EXTERNAL float f() { return @long-double@1.0L; }",
    "parameter of long double": "EXTERNAL void f(const long double *@long-double@x) {}",
    "conversion to long double": "struct S { long double x; };\n"
    "EXTERNAL void f(float y) { @long-double@S{@long-double@y}; }",
    "size of long double": "EXTERNAL int f() { return sizeof(long double); }",
    "undefined": "void g(); EXTERNAL void f() { @undefined-function@g(); g(); }",
    "undefined method": "struct S { S(); void m(); };\n"
    "EXTERNAL void f(S &s) { S @undefined-function@t; s.@undefined-function@m(); }",
    "undefined instance": "template <class T> void g(T); EXTERNAL void f() {"
    " @undefined-function@g(1); }",
    "defined later": "void g(); EXTERNAL void f() { g(); } void g() {}",
    "external": "EXTERNAL void g(); EXTERNAL void f() { g(); }",
    "external and redeclared": "EXTERNAL void g(); void g(); EXTERNAL void f() { g(); }",
    "built-in": "EXTERNAL void f(void *p) { __builtin_memset(p, 0, 4); __builtin_trap(); }",
    "function of the library that clang knows": 'extern "C" float sqrtf(float);\n'
    "EXTERNAL float f(float x) { return sqrtf(x); }",
    "spirv": "float __spirv_ocl_sin(float);"
    " EXTERNAL float f(float x) { return __spirv_ocl_sin(x); }",
    "allocation": "EXTERNAL void f(int *p) { @allocation@new int; @allocation@delete p; }",
    "placement new": "inline void *operator new(decltype(sizeof(0)), void *p) { return p; }\n"
    "EXTERNAL void f(void *p) { new (p) int; }",
    "defaulted": "struct In { In() {} In(const In &) {} ~In() {} };\n"
    "struct S { S() = default; S(const S &) = default; ~S() = default; In in; int a[2]; };\n"
    "EXTERNAL void f() { S s; S t(s); t = s; }",
    "kernel": "void host() {\nstart<class K>([] { @throw@throw 1; }); }",
    "plain kernel": '[[__sycl_detail__::add_ir_attributes_function("sycl-single-task-kernel",'
    " 0)]]\n"
    "void k() { @throw@throw 1; }",
}


@pytest.mark.parametrize("text", CASES.values(), ids=list(CASES))
def test_rules(read_marked: "Read", text: str) -> None:
    reading = read_marked(text)
    assert reading.violations() == reading.marked


def test_words(read_marked: "Read") -> None:
    reading = read_marked(
        'struct B { virtual void m() {} }; extern "C" int scanf(const char *, ...); int counter;\n'
        "void host_only(); thread_local int t; void g() {} struct S { long double x; };\n"
        "EXTERNAL void f(B *b, void (*p)()) {\n"
        '  throw 1;\n  try { } catch (...) { }\n  b->m();\n  p();\n  p = g;\n  scanf("");\n'
        "  counter = 1;\n  host_only();\n  t = 1;\n  S s;\n  delete new int;\n}"
    )
    assert [violation.what for violation in reading.function("f").violations] == [
        "throws an exception",
        "catches exceptions",
        "calls virtual function 'B::m'",
        "calls through a function pointer",
        "takes the address of function 'g'",
        "calls variadic function 'scanf'",
        "uses non-constant variable 'counter'",
        "calls 'host_only', which is not defined in this source and not SYCL_EXTERNAL",
        "uses thread-local variable 't'",
        "uses type 'S', which holds 'long double'",
        "frees memory",
        "allocates memory",
    ]
