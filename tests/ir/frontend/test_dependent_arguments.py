"""Attributes whose arguments depend on template parameters, in every place that C++ allows.

The attribute stands behind a lambda's parameters, where clang keeps it as the template has it.
"""

from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError

if TYPE_CHECKING:
    from conftest import Read

LAUNCH = "void r() { start<class K>(make<aspect::fp64>()); }"
MAKE = "template <aspect A> auto make() "

ONE_ASPECT = {
    "template parameter": MAKE + "{ return []() [[sycl::device_has(A)]] {}; }",
    "static constant": MAKE
    + "{ static constexpr aspect B = A; return []() [[sycl::device_has(B)]] {}; }",
    "local constant": MAKE + "{ constexpr aspect B = A; return []() [[sycl::device_has(B)]] {}; }",
    "const local": MAKE + "{ const aspect B = A; return []() [[sycl::device_has(B)]] {}; }",
    "constant of a constant": MAKE + "{ constexpr aspect B = A, C = B; if constexpr (C == A)"
    " return []() [[sycl::device_has(C)]] {}; }",
    "captured as well": MAKE
    + "{ constexpr aspect B = A; return [=, p = &B]() [[sycl::device_has(B)]] { (void)p; }; }",
    "two functions deep": MAKE + "{ constexpr aspect B = A; return [=] { constexpr aspect C = B;"
    " return []() [[sycl::device_has(B == C ? C : B)]] {}; }(); }",
    "two functions deep, the outer alone": MAKE
    + "{ constexpr aspect B = A; return [] { return []() [[sycl::device_has(B)]] {}; }(); }",
    "generic lambda around": MAKE + "{ return [](auto a) { constexpr aspect B = decltype(a)::v;"
    " return []() [[sycl::device_has(B)]] {}; }(V<A>()); }",
    "generic lambda": "template <aspect A> auto make() { constexpr aspect B = A;"
    " return [](auto... x) [[sycl::device_has(sizeof...(x) ? aspect::cpu : B)]] {}; }",
    "own parameter": MAKE
    + "{ return [](auto... x) [[sycl::device_has(V<A, decltype(x)...>::v)]] {}; }",
    "own parameter's type": MAKE + "{ return [](V<A> x = {}) [[sycl::device_has(decltype(x)::v)]]"
    " {}; }",
    "parameter of the function around": "template <aspect A> auto outer(V<A> a)"
    " { return []() [[sycl::device_has(decltype(a)::v)]] {}; }\n"
    + MAKE
    + "{ return outer(V<A>()); }",
    "pack of the function around": "template <class... T> auto outer(T... a) { return []()"
    " [[sycl::device_has(decltype(a)::v...)]] {}; }\n" + MAKE + "{ return outer(V<A>(), V<A>()); }",
    "size of a pack": "template <class... T> auto outer(T... a) { return []()"
    " [[sycl::device_has(sizeof...(a) == 2 ? aspect::fp64 : aspect::cpu)]] {}; }\n"
    + MAKE
    + "{ return outer(V<A>(), V<A>()); }",
    "constant function": MAKE
    + "{ constexpr aspect B = A; return []() [[sycl::device_has(same<int>(B))]] {}; }",
    "constant function of the parameter": MAKE
    + "{ return []() [[sycl::device_has(same<int>(A))]] {}; }",
    "local type": MAKE + "{ using T = V<A>; return []() [[sycl::device_has(T::v)]] {}; }",
    "local class": MAKE + "{ struct L { static constexpr aspect v() { return A; } };"
    " return []() [[sycl::device_has(L::v())]] {}; }",
    "local enumeration": MAKE + "{ enum E { e = int(A) }; return []()"
    " [[sycl::device_has(aspect(e))]] {}; }",
    "local scoped enumeration": MAKE + "{ enum class E { e = int(A) }; return []()"
    " [[sycl::device_has(aspect(E::e))]] {}; }",
    "local array": MAKE + "{ static constexpr aspect list[] = {A, aspect::cpu}; return []()"
    " [[sycl::device_has(list[0])]] {}; }",
    "member of a local constant": MAKE
    + "{ static constexpr struct { aspect a; } pair{A}; return []()"
    " [[sycl::device_has(pair.a)]] {}; }",
    "cast": MAKE + "{ constexpr int n = int(A); return []() [[sycl::device_has(aspect(n))]] {}; }",
    "sizeof": MAKE
    + "{ char text[int(A)]{}; return []() [[sycl::device_has(aspect(sizeof text))]] {}; }",
    "private member of a class template": "template <aspect A> class C {"
    " static constexpr aspect v = A; public: static auto make()"
    " { return []() [[sycl::device_has(v)]] {}; } };\n" + MAKE + "{ return C<A>::make(); }",
    "member of a dependent class": "template <class T> auto of() { return []()"
    " [[sycl::device_has(T::v)]] {}; }\n" + MAKE + "{ return of<V<A>>(); }",
    "member template": "struct M { template <aspect A> auto make() const { constexpr aspect B = A;"
    " return []() [[sycl::device_has(B)]] {}; } };\n" + MAKE + "{ return M().make<A>(); }",
    "variable template": "template <aspect A> inline constexpr aspect var = A;\n"
    + MAKE
    + "{ return []() [[sycl::device_has(var<A>)]] {}; }",
    "lambda in a variable template": "template <aspect A> inline constexpr auto var ="
    " []() [[sycl::device_has(A)]] {};\n" + MAKE + "{ return var<A>; }",
    "default template argument": "template <aspect A, aspect B = A> auto two() { return []()"
    " [[sycl::device_has(B)]] {}; }\n" + MAKE + "{ return two<A>(); }",
    "structured binding": MAKE + "{ static constexpr struct { aspect a, b; } pair{A, A};"
    " auto &[a, b] = pair; return []() [[sycl::device_has(a)]] {}; }",
    "lambda in the argument": MAKE
    + "{ constexpr aspect B = A; return []() [[sycl::device_has([] { return B; }())]] {}; }",
    "friend": "template <aspect A> struct S { friend auto of(S) { constexpr aspect B = A;"
    " return []() [[sycl::device_has(B)]] {}; } };\n" + MAKE + "{ return of(S<A>()); }",
    "method of a local class": MAKE + "{ static constexpr aspect B = A; struct L {"
    " void operator()() const [[sycl::device_has(B)]] {} }; return L(); }",
    "behind a macro": "#define HAS(...) [[sycl::device_has(__VA_ARGS__)]]\n"
    + MAKE
    + "{ constexpr aspect B = A; return []() HAS(B) {}; }",
    "using": MAKE + "{ constexpr aspect B = A; return []() [[using sycl: device_has(B)]] {}; }",
    "has": MAKE + "{ constexpr aspect B = A; return []() [[sycl::requires(has(B))]] {}; }",
    "mutable": MAKE + "{ constexpr aspect B = A; return []() mutable noexcept"
    " [[sycl::device_has(B)]] -> void {}; }",
    "in a loop": MAKE
    + "{ for (;;) { if (constexpr aspect B = A; true) return []() [[sycl::device_has(B)]] {}; } }",
    "of two variables of one name": MAKE
    + "{ { constexpr aspect B = aspect::cpu; (void)B; } constexpr aspect B = A;"
    " return []() [[sycl::device_has(B)]] {}; }",
}

PRELUDE = (
    "template <aspect A, class...> struct V { static constexpr aspect v = A; };"
    " template <class T> constexpr aspect same(aspect a) { return a; }\n"
)


@pytest.mark.parametrize("text", ONE_ASPECT.values(), ids=ONE_ASPECT.keys())
def test_one_aspect(read_marked: "Read", text: str) -> None:
    reading = read_marked(f"{PRELUDE}{text}\n{LAUNCH}")
    kernel = reading.facts.kernels[0]
    assert kernel.object_function is not None
    declared = reading.facts.functions[kernel.object_function].declared
    assert declared is not None
    assert set(declared.aspects) == {6}


FOR_EACH = {
    "lambda": "(start<T>([]() [[sycl::device_has(T::v)]] {}), ...);",
    "lambda in a lambda": "([] { start<T>([]() [[sycl::device_has(T::v)]] {}); }(), ...);",
    "constant in a lambda": "([] { constexpr aspect B = T::v;"
    " start<T>([]() [[sycl::device_has(B)]] {}); }(), ...);",
    "generic lambda": "(start<T>([](auto... x) [[sycl::device_has(T::v)]] {}), ...);",
    "function's parameters": "(start<T>([]() [[sycl::device_has(T::v, decltype(x)::v)]] {}), ...);",
    "class": "([] { struct L { void operator()() const [[sycl::device_has(T::v)]] {} };"
    " start<T>(L()); }(), ...);",
}


@pytest.mark.parametrize("text", FOR_EACH.values(), ids=FOR_EACH.keys())
def test_one_kernel_for_each_element_of_a_pack(read_marked: "Read", text: str) -> None:
    reading = read_marked(
        f"{PRELUDE}template <class... T> void all(T... x) {{ {text} }}\n"
        "void r() { all(V<aspect::fp64>(), V<aspect::fp16>(), V<aspect::cpu>()); }"
    )
    declared = {
        kernel.name: set(promise.aspects)
        for kernel in reading.facts.kernels
        if kernel.object_function is not None
        and (promise := reading.facts.functions[kernel.object_function].declared)
    }
    assert sorted(declared.values(), key=sorted) == [{1}, {5}, {6}]
    assert declared["V<sycl::aspect::fp64>"] == {6}


UNKNOWN = r"<stdin>:3:\d+: error: cannot evaluate an argument of 'device_has'"
ERRORS = {
    "no such member": (
        MAKE + "{ return []() [[sycl::device_has(V<A>::nothing)]] {}; }",
        "no member named 'nothing'",
    ),
    "pack that nothing expands": (
        "template <aspect... A> auto make() { return []() [[sycl::device_has(A)]] {}; }",
        UNKNOWN,
    ),
    "variable": (
        MAKE + "{ auto b = A; return [=]() [[sycl::device_has(b)]] { (void)b; }; }",
        "constant expression",
    ),
    "binding of a lambda around": (
        MAKE + "{ return [] { static constexpr struct { aspect a; } one{A}; auto &[a] = one;"
        " return []() [[sycl::device_has(a)]] {}; }(); }",
        r"<stdin>:3:\d+: error: reference to local binding 'a'",
    ),
}


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS.keys())
def test_unknown_values_are_errors_at_their_place(
    read_marked: "Read", text: str, message: str
) -> None:
    with pytest.raises(CompileError, match=message) as caught:
        read_marked(f"{PRELUDE}{text}\n{LAUNCH}")
    errors = [line for line in str(caught.value).split("\n") if " error: " in line]
    assert len(set(errors)) == len(errors)
