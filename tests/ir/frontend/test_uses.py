"""The aspects that functions use, and their places: `@fp64@` marks a use of fp64."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Read

TYPES = """
struct HasDouble { int i; double d; };
struct Derived : HasDouble {};
struct Deep { HasDouble *list[3]; };
struct List { List *next; int value; };
struct DoubleList { DoubleList *next; double *value; };
struct USES_AMX Tile { int x; };
struct BigTile : Tile {};
enum class USES_AMX Mode { one };
union Both { int i; double d; };
template <class T, int Size> struct Sized { T value; };
template <class T> struct USES_AMX Sized<T, 8> { T value; };
template <class T> struct Box : Sized<T, sizeof(T)> {};
int amx() { return 0; }
"""

OBJECTS = {
    "object": "EXTERNAL void f() { double @fp64@d; }",
    "const object": "EXTERNAL void f() { const double @fp64@d = @fp64@1.0; }",
    "static constant": "EXTERNAL void f() { static const double @fp64@d = @fp64@1.0; }",
    "array": "EXTERNAL void f() { double @fp64@d[2][3]; }",
    "pointer": "EXTERNAL void f(void **p) { double *@fp64@d; }",
    "array of pointers": "EXTERNAL void f() { const double *@fp64@d[3]; }",
    "reference": "EXTERNAL void f(void *p) { HasDouble &@fp64@h = *@fp64@(HasDouble *)p; }",
    "class with a member": "EXTERNAL void f() { HasDouble @fp64@h; }",
    "derived class": "EXTERNAL void f() { Derived @fp64@h; }",
    "class with a deep member": "EXTERNAL void f() { Deep @fp64@d; }",
    "class in a circle": "EXTERNAL void f() { List l; DoubleList @fp64@d; }",
    "union": "EXTERNAL void f() { Both @fp64@b; }",
    "marked class": "EXTERNAL void f() { Tile @amx@t; }",
    "class derived from a marked one": "EXTERNAL void f() { BigTile @amx@t; }",
    "marked enumeration": "EXTERNAL void f() { Mode @amx@m; }",
    "partial specialization": "EXTERNAL void f() { Box<int> a; Box<long> @amx@b; }",
    "two aspects": "struct Two { half h; double d; }; EXTERNAL void f() { Two @fp16@@fp64@t; }",
    "vector": "typedef double V __attribute__((ext_vector_type(2)));"
    " EXTERNAL void f() { V @fp64@v; }",
    "complex": "EXTERNAL void f() { _Complex double @fp64@c; }",
    "atomic": "EXTERNAL void f() { _Atomic(double) *@fp64@c; }",
    "declaration without object": "EXTERNAL void f() { extern double g; typedef double T; }",
    "pointer to function": "EXTERNAL void f() { double (*p)(double); }",
    "constexpr object": "EXTERNAL void f() { constexpr double @fp64@d = 1.0; }",
    "structured binding": "EXTERNAL void f() { auto @fp64@[i, d] = @fp64@HasDouble{}; }",
    "condition": "EXTERNAL void f() { if (double @fp64@d = @fp64@1) {} }",
    "caught": "EXTERNAL void f() { try {} catch (double @fp64@d) {} }",
    "range for": "EXTERNAL void f() { int a[2] = {}; for (double @fp64@x @fp64@: a) {} }",
    "alias": "using Short USES_AMX = short; EXTERNAL void f() { Short @amx@s; short t; }",
    "array of an alias": "using Short USES_AMX = short; EXTERNAL void f() { Short *@amx@s[2]; }",
    "member of an alias": "using Short USES_AMX = short; struct S { Short s; };"
    " EXTERNAL void f() { S @amx@s; }",
    "alias template": "template <class T> using Short USES_AMX = T;"
    " EXTERNAL void f() { Short<short> @amx@s; }",
    "alias as a template argument": "using Short USES_AMX = short; template <class T> struct B"
    " { T t; }; EXTERNAL void f() { B<Short> @amx@b; B<short> c; }",
    "alias inside a template argument": "using Short USES_AMX = short; template <class T> struct B"
    " {}; EXTERNAL void f() { B<const Short *> @amx@b; B<B<Short[2]>> @amx@c; B<short *> d; }",
    "alias in a pack of arguments": "using Short USES_AMX = short; template <class... T> struct B"
    " {}; EXTERNAL void f() { B<int, Short> @amx@b; B<int, short> c; }",
    "alias behind an alias template": "using Short USES_AMX = short; template <class T> struct B"
    " {}; template <class T> using A = B<T *>; EXTERNAL void f() { A<Short> @amx@b; A<short> c; }",
    "alias as an argument of a function": "using Short USES_AMX = short; struct S {"
    " template <class T> void m() {} }; template <class T> void g() {}\n"
    "EXTERNAL void f(S s) { g<@amx@Short *>(); s.m<@amx@Short>(); g<short *>(); g<double>(); }",
    "alias in the name of a member function": "using Short USES_AMX = short; template <class T>"
    " struct B { static void m() {} };\nEXTERNAL void f() { @amx@B<Short>::m(); B<short>::m(); }",
    "alias as a deduced argument": "using Short USES_AMX = short; template <class T> void g(T t)"
    " { T copy = t; }\nEXTERNAL void f(Short @amx@s) { g(s); }",
    "half of clang's": "EXTERNAL void f() { _Float16 @fp16@h; }",
    "marked before its definition": "struct USES_AMX S; struct S { int x; };"
    " EXTERNAL void f() { S @amx@s; }",
    "template argument": "template <class T> void g() { T @amx@t; } EXTERNAL void f() {"
    " g<Tile>(); }",
}

SIGNATURES = {
    "parameter": "EXTERNAL void f(double @fp64@x) {}",
    "unnamed parameter": "EXTERNAL void f(double@fp64@) {}",
    "pointer parameter": "EXTERNAL void f(const double *@fp64@x) {}",
    "reference parameter": "EXTERNAL void f(HasDouble &@fp64@x) {}",
    "result": "EXTERNAL @fp64@double f() { __builtin_unreachable(); }",
    "trailing result": "EXTERNAL auto @fp64@f() -> double { __builtin_unreachable(); }",
    "result of a method": "struct S { @fp64@HasDouble *m() { return @fp64@nullptr; } };"
    " EXTERNAL void f() { S s; s.@fp64@m(); }",
    "captures": "EXTERNAL void f(float x, double @fp64@y) {\n"
    " auto @fp64@l = @fp64@[x, @fp64@y] { return x; }; l(); }",
    "implicit captures": "EXTERNAL void f(double @fp64@y) {\n"
    " auto @fp64@l = @fp64@[=] { (void)@fp64@y; }; l(); }",
    "kernel's captures": "void host(double y, float x) {\n"
    " start<class K>([=] { (void)x; (void)@fp64@y; }); }",
    "kernel's members": "struct Functor { float x; HasDouble @fp64@h; void operator()() const"
    " {} };\n"
    "void host(Functor a) { start<class K>(a); }",
    "lambda in a kernel's member": "template <class F> struct Rounded { F f;"
    " void operator()() const { f(); } };\n"
    "template <class F> void go(F f) { start<class K>(Rounded<F>{f}); }\n"
    "void host(double y) { go([@fp64@y] {}); }",
    "kernel's base": "struct Functor : @fp64@HasDouble { void operator()() const {} };\n"
    "void host(Functor a) { start<class K>(a); }",
    "marked kernel object": "struct USES_AMX @amx@Functor { void operator()() const {} };\n"
    "void host(Functor a) { start<class K>(a); }",
}

EXPRESSIONS = {
    "literal": "EXTERNAL float f() { return @fp64@1.0; }",
    "other literals": "EXTERNAL float f() { return 1.0f + 1; }",
    "explicit casts": "EXTERNAL int f(int x) {\n"
    "return (int)@fp64@static_cast<double>(x) + (int)@fp64@(double)x + (int)@fp64@double(x); }",
    "cast of pointers": "EXTERNAL void f(void *p) { (void)@fp64@reinterpret_cast<double *>(p);\n"
    "(void)@amx@(Tile *)p; }",
    "implicit conversion of an integer": "EXTERNAL bool f(int x) { return @fp64@x < @fp64@2.0; }",
    "implicit conversion of a float": "EXTERNAL float f(float x) { return @fp64@x * @fp64@2.0; }",
    "no conversion": "EXTERNAL float f(float x) { return x * 2; }",
    "value": "EXTERNAL void f() { (void)@fp64@double(); (void)@fp64@HasDouble(); }",
    "braces": "EXTERNAL void f() { (void)@fp64@HasDouble{1, @fp64@2}; }",
    "braces for a number": "EXTERNAL void g(double); EXTERNAL void f() { g(@fp64@{}); }",
    "argument of a macro": "#define CALL(x) x\nEXTERNAL void f(float x) { CALL(x = @fp64@1.0); }",
    "body of a macro": "#define ONE 1.0\nEXTERNAL void f(float x) { x = @fp64@ONE; }",
    "members of unions are not destroyed": "struct D { ~D() { double @fp64@d; } };"
    " union U { D d; int i; U() : i(0) {} ~U() {} };"
    " struct S { union { D d; int i; }; S() : i(0) {} ~S() {} };"
    " EXTERNAL void f() { U u; S s; }\nEXTERNAL void g() { D d; }",
    "temporary": "EXTERNAL void f(float x) { const double &@fp64@r = @fp64@x; }",
    "new": "EXTERNAL void f() { (void)@fp64@new double; (void)@fp64@new @fp64@HasDouble[3];\n"
    "new int; }",
    "throw": "EXTERNAL void f() { @fp64@throw @fp64@1.0; }",
    "rethrow": "EXTERNAL void f() { throw; }",
    "global variable": "double g; EXTERNAL float f() { return @fp64@g; }",
    "member of a global": "HasDouble g; EXTERNAL int f() { return @fp64@g.i; }",
    "constant": "constexpr double g = 1; EXTERNAL float f() { return @fp64@g; }",
    "static member": "struct S { static constexpr double d = 1; };\n"
    "EXTERNAL float f(S s) { return S::@fp64@d + s.@fp64@d; }",
    "call of a marked function": "EXTERNAL void f() { @amx@amx_multiply(); }",
    "marked method": "struct S { USES_AMX void m() {} }; EXTERNAL void f() { S().@amx@m(); }",
    "mark behind the parameters": "void g() USES_AMX {} EXTERNAL void f() { @amx@g(); }",
    "marked operator": "struct S {}; USES_AMX S operator+(S, S) { return {}; }\n"
    "EXTERNAL void f(S a) { a @amx@+ a; }",
    "marked constructor": "struct S { USES_AMX S() {} }; EXTERNAL void f() { S @amx@s; }",
    "marked destructor": "struct S { USES_AMX ~S() {} }; EXTERNAL void f() { S @amx@s; }",
    "marked conversion": "struct S { USES_AMX operator int() { return 1; } };\n"
    "EXTERNAL int f(S s) { return @amx@s; }",
    "redeclared without the mark": "USES_AMX void g(); void g() {} EXTERNAL void f() { @amx@g(); }",
    "returned value": "EXTERNAL double g(); EXTERNAL void f() { @fp64@g(); }",
    "returned reference": "EXTERNAL double &g(); EXTERNAL void f() { @fp64@g(); }",
    "dependent mark": "template <aspect A> [[__sycl_detail__::uses_aspects(has(A))]] void g() {}\n"
    "EXTERNAL void f() { @fp64@g<aspect::fp64>(); @fp16@g<aspect::fp16>(); }",
    "pack of marks": "template <aspect... A> [[sycl_detail::uses_aspects(A...)]] void g() {}\n"
    "EXTERNAL void f() { @fp16@@fp64@g<aspect::fp64, aspect::fp16>(); g<>(); }",
    "overridden mark": "struct B { USES_AMX virtual void m() {} };\n"
    "struct D : B { void m() override {} };\n"
    "EXTERNAL void f(B &b, D &d) { b.@amx@m(); d.m(); d.D::m(); d.B::@amx@m(); }",
    "default argument": "void g(float x = @fp64@1.0) {} EXTERNAL void f() { g(); g(2.f); }",
    "default argument in a call": "void g(int = 0) {} int h(float x = @fp64@1.0) { return 1; }\n"
    "EXTERNAL void f() { g(h()); }",
    "default member initializer": "struct S { float x = @fp64@1.0; S() {} };\n"
    "EXTERNAL void f() { S s; }",
    "default member of an aggregate": "struct S { float x = @fp64@1.0; };\n"
    "EXTERNAL void f() { S s{}; }",
    "member initializer": "struct S { float x; S() : x(@fp64@1.0) {} };\n"
    "EXTERNAL void f() { S s; }",
    "implicit constructor": "struct In { In() { @amx@amx_multiply(); } };\n"
    "struct S { In in; }; EXTERNAL void f() { S s; }",
    "implicit destructor": "struct In { ~In() { @amx@amx_multiply(); } };\n"
    "struct S { In in; }; EXTERNAL void f() { S s; }",
    "constructors of an array": "struct S { S() { @amx@amx_multiply(); } };\n"
    "EXTERNAL void f() { S s[3] = {}; }",
    "inherited constructor": "struct B { B(int) { @amx@amx_multiply(); } };\n"
    "struct D : B { using B::B; }; EXTERNAL void f() { D d(1); }",
    "initializer of a capture": "EXTERNAL void f() { [x = (int)@fp64@1.0] {}; }",
    "lambda's body": "EXTERNAL void f() { [] { (void)@fp64@1.0; }(); }",
    "lambda that nobody calls": "EXTERNAL void f() { auto l = [] { (void)1.0; }; }",
    "generic lambda": "EXTERNAL void f() { [](auto @fp64@x) {}(@fp64@1.0); }",
    "macro": "#define HALF(x) ((x) * 0.5)\nEXTERNAL float f(float x) { return @fp64@HALF(x); }",
    "statement expression": "EXTERNAL int f() { return ({ (int)@fp64@1.0; }); }",
    "compound literal": "EXTERNAL void f() { (void)@fp64@(HasDouble){1, @fp64@2}; }",
    "conditional operator": "EXTERNAL int f(int x) { return x ?: (int)@fp64@1.0; }",
    "user-defined literal": '@fp16@half operator""_h(unsigned long long) { return {}; }\n'
    "EXTERNAL void f() { @fp16@1_h; }",
}

EXCEPTIONS = {
    "sizeof": "EXTERNAL int f() { return sizeof(double) + sizeof(1.0) + alignof(double); }",
    "decltype": "EXTERNAL void f() { decltype(1.0 * 2) *@fp64@p; using T = decltype(1.0); }",
    "noexcept": "EXTERNAL bool f() { return noexcept(1.0 + 2); }",
    "typeid": "namespace std { class type_info; }\n"
    "EXTERNAL void f() { (void)typeid(1.0); (void)typeid(double); }",
    "discarded branch": "EXTERNAL void f() { if constexpr (sizeof(int) == 4) {} else { double"
    " d; } }",
    "taken branch": "EXTERNAL void f() { if constexpr (sizeof(int) != 4) {}"
    " else { double @fp64@d; } }",
    "branch of a template": "template <bool B> void g() { if constexpr (B) { double @fp64@d; } }\n"
    "EXTERNAL void f() { g<true>(); g<false>(); }",
    "discarded branch of a template": "template <bool B> void g() {"
    " if constexpr (B) { double d; } }\nEXTERNAL void f() { g<false>(); }",
    "initializer and condition of constexpr if": "EXTERNAL void f() {"
    " if constexpr (double @fp64@d = @fp64@1; 1.0 == 1.0) {} }",
    "array bound": "EXTERNAL void f() { int a[(int)2.0]; }",
    "template argument": "template <int N> void g() {} EXTERNAL void f() { g<(int)2.0>(); }",
    "case label": "EXTERNAL void f(int x) { switch (x) { case (int)2.0: (void)@fp64@3.0; } }",
    "static_assert": "EXTERNAL void f() { static_assert(1.0 == 1.0); }",
    "initializer of a constant": "EXTERNAL int f() { constexpr int n = (int)2.5; return n; }",
    "enumerator": "EXTERNAL void f() { enum { a = (int)2.0 }; }",
    "not reached": "void g() { double d; } EXTERNAL void f() {}",
    "not instantiated": "template <class T> EXTERNAL void f() { double d; }",
    "selection": "EXTERNAL int f() { return _Generic(1.0, double: 1, default: (int)2.0); }",
    "chosen": "EXTERNAL int f() { return __builtin_choose_expr(1, 2, (int)2.0); }",
    "declared in a class": "EXTERNAL void f() { struct S { double d; }; }",
}

IMMEDIATE = {
    "consteval": "consteval int g(double x) { return x; } EXTERNAL int f() { return g(1.5); }",
    "if consteval": "EXTERNAL void f() { if consteval { double d; } else { double @fp64@e; } }",
    "if not consteval": "EXTERNAL void f() { if !consteval { double @fp64@d; } }",
    "constraint": "template <class T> requires (sizeof(T) == (int)4.0) void g(T) {}\n"
    "EXTERNAL void f() { g(1); }",
    "requires expression": "EXTERNAL bool f() { return requires { 1.0 + 2; }; }",
    "designators": "struct S { int i; float x; };\n"
    "EXTERNAL void f() { S s{.i = 1, .x = @fp64@2.0}; }",
}


def cases(table: dict[str, str]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("text", table.values(), ids=list(table))


def check(read: "Read", text: str, standard: str = "c++17") -> None:
    reading = read(TYPES.strip() + "\n" + text, standard)
    assert reading.uses() == reading.marked


@cases(OBJECTS)
def test_objects(read_marked: "Read", text: str) -> None:
    check(read_marked, text)


@cases(SIGNATURES)
def test_signatures(read_marked: "Read", text: str) -> None:
    check(read_marked, text)


@cases(EXPRESSIONS)
def test_expressions(read_marked: "Read", text: str) -> None:
    check(read_marked, text)


@cases(EXCEPTIONS)
def test_what_is_not_evaluated(read_marked: "Read", text: str) -> None:
    check(read_marked, text)


@cases(IMMEDIATE)
def test_later_standards(read_marked: "Read", text: str) -> None:
    check(read_marked, text, "c++23")


def test_words(read_marked: "Read") -> None:
    reading = read_marked(
        "struct Holds { double d; }; struct Derives : half {}; double g;\n"
        "EXTERNAL void f(double *x, float) {\n"
        "  Holds h;\n  Derives d;\n  (void)1.5;\n  (void)(half *)x;\n  amx_multiply();\n"
        "  float y = g;\n  bool b = y < h.d;\n  const double &r = y;\n  new Holds;\n"
        "  auto l = [h] {};\n  l();\n}"
    )
    uses = reading.function("f").uses
    assert [use.what for use in uses] == [
        "parameter 'x' of type 'double *'",
        "object of type 'Holds', which holds 'double'",
        "object of type 'Derives', which derives from 'half'",
        "literal of type 'double'",
        "cast to 'half *'",
        "call of 'amx_multiply'",
        "global variable 'g' of type 'double'",
        "implicit conversion to 'double'",
        "object of type 'const double &'",
        "temporary of type 'const double'",
        "new object of type 'Holds', which holds 'double'",
        "object of type 'Holds', which holds 'double'",
        "object of type '(lambda)', which holds 'double'",
        "object of type '(lambda)', which holds 'double'",
        "object of type 'Holds', which holds 'double'",
    ]
    (capture,) = reading.function("f(double *, float)::(lambda)::operator()").uses
    assert capture.what == "capture 'h' of type 'Holds', which holds 'double'"


def test_a_default_argument_is_used_by_the_caller(read_marked: "Read") -> None:
    reading = read_marked("inline void g(float x = 1.0) {}\nEXTERNAL void f() { g(); }")
    assert [use.place.line for use in reading.function("f").uses] == [2]
    assert [f.name for f in reading.facts.functions] == ["f"]


def test_places_follow_line_directives(read_marked: "Read") -> None:
    reading = read_marked('EXTERNAL void f() {\n# 70 "other.cpp"\n  double d;\n}')
    (use,) = reading.function("f").uses
    assert str(use.place) == "other.cpp:70:10"
