"""Facts about kernels and their parameters."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError
from dovetail.frontend import Flags, Source, compile_command, run_clang
from dovetail.kernel_info import ArgumentMember, Field, Parameter, ParameterKind

if TYPE_CHECKING:
    from conftest import Compile

MARKED = 'struct [[__sycl_detail__::__kernel_argument__("local")]] Local { char *p; };\n'

START = (
    "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]] void start(F f) { f(); }\n"
    "struct Name;\n"
)


def parameters(compile_text: "Compile", declaration: str, before: str = "") -> dict[str, Parameter]:
    facts = compile_text(f"{before}\nKERNEL void k({declaration}) {{}}").facts
    return {parameter.name: parameter for parameter in facts.kernels[0].parameters}


def test_names_and_place(compile_text: "Compile") -> None:
    facts = compile_text("namespace a { namespace b {\nKERNEL void k(int *p) { *p = 1; }\n}}").facts
    (kernel,) = facts.kernels
    assert kernel.form == "function"
    assert kernel.symbol == "_ZN1a1b1kEPi"
    assert kernel.entry_symbol == "__sycl_kernel__ZN1a1b1kEPi"
    assert kernel.name == "a::b::k"
    assert kernel.signature == "a::b::k(int *)"
    assert (kernel.file, kernel.line) == ("<stdin>", 2)
    assert kernel.attributes == {"sycl-nd-range-kernel": "1"}


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ('extern "C" KERNEL void k() {}', ["k"]),
        ('extern "C" { KERNEL void k() {} }', ["k"]),
        ("KERNEL static void k() {}", ["_ZL1kv"]),
        ("namespace { KERNEL void k() {} }", ["_ZN12_GLOBAL__N_11kEv"]),
        ("KERNEL inline void k() {}", ["_Z1kv"]),
        ("template <class T> KERNEL void k(T) {}\ntemplate void k<int>(int);", ["_Z1kIiEvT_"]),
        ("KERNEL void k();\nvoid k() {}", ["_Z1kv"]),
        ("struct S { KERNEL static void k() {} };", ["_ZN1S1kEv"]),
        ("KERNEL void k();", []),
        ("template <class T> KERNEL void k(T) {}", []),
        ("void k() {}", []),
        (
            "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]] void start(F f)"
            " { f(); }\nstruct Name;\nvoid host() { start<Name>([] {}); }",
            ["_ZTS4Name"],
        ),
    ],
)
def test_which_functions_are_kernels(
    compile_text: "Compile", text: str, symbols: list[str]
) -> None:
    device = compile_text(text)
    assert [kernel.symbol for kernel in device.facts.kernels] == symbols
    defined = {f.name for f in device.module.functions() if not f.is_declaration}
    assert set(symbols) <= defined, "clang must generate code for what is called a kernel"


def test_scalars(compile_text: "Compile") -> None:
    found = parameters(
        compile_text,
        "bool a, char b, signed char c, unsigned char d, short e, unsigned short f, int g,"
        " unsigned h, long i, unsigned long j, _Float16 k, float l, double m, E n, E2 o",
        "enum E : unsigned short {}; enum class E2 { x };",
    )
    integers = ["i1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
    codes = ["b1", *integers, "f2", "f4", "f8", "u2", "i4"]
    assert [parameter.encoding for parameter in found.values()] == codes
    assert {parameter.kind for parameter in found.values()} == {ParameterKind.SCALAR}
    assert all(p.size == int(p.encoding[1]) == p.align for p in found.values())


def test_pointers(compile_text: "Compile") -> None:
    found = parameters(
        compile_text,
        "float *a, const double *b, void *c, S *d, int **e, const volatile char *f",
        "struct S { int x, y; };",
    )
    assert {parameter.kind for parameter in found.values()} == {ParameterKind.POINTER}
    assert [parameter.encoding for parameter in found.values()] == ["f4", "f8", "", "", "", "i1"]
    assert [parameter.writable for parameter in found.values()] == [True, False] + [True] * 3 + [
        False
    ]
    assert found["b"].type == "const double *"


def test_object_fields(compile_text: "Compile") -> None:
    found = parameters(
        compile_text,
        "S s",
        "struct In { short a; double b; }; struct Base { char c; };\n"
        "struct S : Base { int x; float y[2][3]; In in; };",
    )["s"]
    assert (found.kind, found.size, found.align) == (ParameterKind.OBJECT, 48, 8)
    assert found.fields == (
        Field("c", 0, "i1"),
        Field("x", 4, "i4"),
        Field("y", 8, "f4", 6),
        Field("in.a", 32, "i2"),
        Field("in.b", 40, "f8"),
    )


@pytest.mark.parametrize(
    "definition",
    [
        "struct S { int a : 3; int b; };",
        "union S { int a; float b; };",
        "struct S { int a; union { int b; float c; }; };",
        "struct B { int x; }; struct S : B { int x; };",
        "struct S { int a; void (*f)(); };",
    ],
)
def test_objects_without_a_plain_layout(compile_text: "Compile", definition: str) -> None:
    found = parameters(compile_text, "S s, S *p", definition)
    assert found["s"].kind is ParameterKind.OBJECT
    assert found["s"].fields == found["p"].fields == ()


def test_class_of_one_scalar_is_that_scalar(compile_text: "Compile") -> None:
    found = parameters(compile_text, "H h, H *p", "struct H { _Float16 value; };")
    assert (found["h"].kind, found["h"].encoding) == (ParameterKind.SCALAR, "f2")
    assert found["p"].encoding == "f2"
    assert found["h"].fields == found["p"].fields == (Field("value", 0, "f2"),)


def test_addresses_in_an_object(compile_text: "Compile") -> None:
    found = parameters(compile_text, "S s", "struct S { int x; void *p; const int *q[3]; };")["s"]
    assert found.kind is ParameterKind.OBJECT
    assert found.fields == (Field("x", 0, "i4"), Field("p", 8, "u8"), Field("q", 16, "u8", 3))


def test_anonymous_struct_in_an_object(compile_text: "Compile") -> None:
    definition = "struct In { struct { int a; float b; }; }; struct S { int x; In in; };"
    found = parameters(compile_text, "S s", definition)["s"]
    assert [field.name for field in found.fields] == ["x", "in.a", "in.b"]


def test_long_double_has_the_code_of_its_size(compile_text: "Compile") -> None:
    found = parameters(compile_text, "long double x, long double *p")
    assert (found["x"].size, found["x"].encoding) == (8, "f8")
    assert (found["p"].pointee_size, found["p"].encoding) == (8, "f8")


def test_pointees(compile_text: "Compile") -> None:
    found = parameters(
        compile_text,
        "S *s, const S *c, float *f, void *v, Unknown *u, S **ss, int (*a)[4], V *virt, L *local",
        MARKED + "struct S { int x; double y; }; struct Unknown;\n"
        "struct V { int a; virtual void f() const {} }; struct L { int x; Local l; };",
    )
    sizes = [16, 16, 4, 0, 0, 8, 16, 16, 16]
    assert [parameter.pointee_size for parameter in found.values()] == sizes
    fields = (Field("x", 0, "i4"), Field("y", 8, "f8"))
    assert found["s"].fields == found["c"].fields == fields
    others = [found[name] for name in ("f", "v", "u", "ss", "a", "virt", "local")]
    assert all(parameter.fields == parameter.members == () for parameter in others)


def test_values_have_no_pointee(compile_text: "Compile") -> None:
    found = parameters(compile_text, "int n, S s", "struct S { int x, y; };")
    assert [parameter.pointee_size for parameter in found.values()] == [0, 0]


def test_members_that_need_an_argument(compile_text: "Compile") -> None:
    found = parameters(
        compile_text,
        "S s",
        MARKED + "struct Base { int b; Local l; };\n"
        "struct S : Base { int x; Local two[2]; struct { int y; Local z; } in; };",
    )["s"]
    offsets = [16 - 8, 24, 32, 48]
    assert found.members == tuple(ArgumentMember("local", at, 8, "Local") for at in offsets)


def test_members_of_a_captured_object(compile_text: "Compile") -> None:
    facts = compile_text(
        MARKED + "template <class N, class F>\n"
        "[[clang::sycl_kernel_entry_point(N)]] void start(F f) { f(); }\n"
        "struct Name;\n"
        "void host() { Local a{}, b{}; int n = 1; auto inner = [=] { return b.p; };\n"
        "  start<Name>([=] { (void)n; (void)inner(); (void)a.p; }); }"
    ).facts
    (kernel,) = facts.kernels
    assert (kernel.form, kernel.name) == ("entry", "Name")
    (parameter,) = kernel.parameters
    assert [member.offset for member in parameter.members] == [8, 16]


def test_odd_characters_in_names(compile_text: "Compile") -> None:
    facts = compile_text('# 7 "a\\"b\\\\ \\xc3\\xa4.cpp"\nKERNEL void kä() {}').facts
    assert facts.kernels[0].name == "kä"
    assert facts.kernels[0].line == 7


@pytest.mark.parametrize(
    ("text", "internal"),
    [
        ("KERNEL void k() {}", False),
        ("KERNEL inline void k() {}", False),
        ("KERNEL static void k() {}", True),
        ("namespace { KERNEL void k() {} }", True),
        ("namespace a { namespace { struct S { KERNEL static void k() {} }; } }", True),
        (
            "namespace { struct A {}; }\n"
            "template <class T> KERNEL void k() {}\ntemplate void k<A>();",
            True,
        ),
        (START + "void host() { start<Name>([] {}); }", False),
        (START + "void host() { start<class Local>([] {}); }", False),
        (START + "namespace { struct A; } void host() { start<A>([] {}); }", True),
        (START + "static void f() { struct A; start<A>([] {}); } void host() { f(); }", True),
    ],
)
def test_internal_names(compile_text: "Compile", text: str, internal: bool) -> None:
    (kernel,) = compile_text(text).facts.kernels
    assert kernel.internal is internal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("KERNEL int k() { return 1; }", "kernel 'k' must return 'void', not 'int'"),
        ("KERNEL auto k() { return 1; }", "kernel 'k' must return 'void', not 'int'"),
        ("KERNEL\nvoid k(int, ...) {}", "<stdin>:2:13: error: kernel 'k' cannot be variadic"),
        (
            "struct S { S(const S &); int x; };\nKERNEL\nvoid k(int, S s) {}",
            "<stdin>:3:15: error: parameter 's' of kernel 'k' has a class with a nontrivial",
        ),
        ("struct S { ~S(); };\nKERNEL void k(S s) {}", "a class with a nontrivial copy"),
        (
            "struct S { virtual void f(); };\nKERNEL void k(S s) {}",
            "a class with a nontrivial copy",
        ),
        (
            "KERNEL\nvoid k(__attribute__((opencl_local)) int *p) {}",
            "<stdin>:2:43: error: parameter 'p' of kernel 'k' does not point to global memory",
        ),
        (
            "KERNEL void k(__attribute__((opencl_private)) int *p) {}",
            "parameter 'p' of kernel 'k' does not point to global memory",
        ),
        ("KERNEL void k(int &x) { x = 1; }", "parameter 'x' of kernel 'k' is a reference"),
        (
            START + "void host() { int n = 1;\n  start<Name>([&] { n = 2; }); }",
            "<stdin>:4:21: error: kernel captures 'n' by reference",
        ),
        (
            START + "void host() { int n = 1; auto in = [&n] { return n; };\n"
            "  start<Name>([=] { in(); }); }",
            "<stdin>:3:38: error: kernel captures 'n' by reference",
        ),
        (
            START + "struct Held { int &r; };\nstruct F : Held { void operator()() const {} };\n"
            "void host() { int n = 1; start<Name>(F{{n}}); }",
            "<stdin>:3:20: error: member 'r' of a kernel object is a reference",
        ),
    ],
)
def test_errors_at_their_place(compile_text: "Compile", text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_text(text)
    assert message in caught.value.message
    assert caught.value.message.count("error:") == 1


@pytest.mark.parametrize(
    "text",
    [
        "KERNEL void k(__attribute__((opencl_global)) int *p, int *q) {}",
        # Its assignment is its own, as std::pair's, and nothing assigns arguments.
        "struct P { int x; P &operator=(const P &); };\nKERNEL void k(P p) {}",
        START + "struct F { F(const F &) {} F() {} void operator()() const {} };\n"
        "void host() { start<Name>(F()); }",
    ],
)
def test_what_kernels_may_take(compile_text: "Compile", text: str) -> None:
    assert len(compile_text(text).facts.kernels) == 1


def test_facts_that_cannot_be_written_are_an_error(tmp_path: Path) -> None:
    source = Source.from_text("void f() {}")
    command = compile_command(
        source, Flags(), header=None, bitcode=tmp_path / "k.bc", facts=Path("/dev/full")
    )
    with pytest.raises(CompileError, match="cannot write '/dev/full': No space left on device"):
        run_clang(command, source.text.encode())
