"""Properties from C++ attributes to LLVM IR, with invented names."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail.artifacts import DeviceModule
from dovetail.frontend import Flags, Side, Source, common_options, compile_command, run_clang
from dovetail.passes import PassContext, parse_pipeline, run_pipeline
from dovetail.targets.ir_family import IRFamily

if TYPE_CHECKING:
    from conftest import Compile

FUNCTION = ("add_ir_attributes_function", "add_ir_function_attributes")
VARIABLE = ("add_ir_attributes_global_variable", "add_ir_global_variable_attributes")
PARAMETER = ("add_ir_attributes_kernel_parameter", "add_ir_kernel_parameter_attributes")
MEMBER = ("add_ir_annotations_member", "add_ir_member_annotation")

# Two lines.
PRELUDE = " ".join(
    [
        "#define PROPERTIES(kind, ...) [[__sycl_detail__::kind(__VA_ARGS__)]]\n",
        "template <class N, class F> [[clang::sycl_kernel_entry_point(N)]]",
        "void start(F f) { f(); }",
        "template <class... P> struct",
        "PROPERTIES(add_ir_attributes_global_variable, P::meta_name..., P::meta_value...)",
        "global { int v = 0; };",
        "template <class T, class... P> struct",
        "PROPERTIES(add_ir_attributes_kernel_parameter, P::meta_name..., P::meta_value...)",
        "pointer { T *p; };",
        'struct height { static constexpr auto meta_name = "my-height";',
        "static constexpr auto meta_value = 3; };",
        'struct flag { static constexpr const char *meta_name = "my-flag";',
        'static constexpr const char *meta_value = ""; };',
    ]
)
BOTH = {"my-height": "3", "my-flag": ""}


def compiled(compile_text: "Compile", text: str, standard: str = "c++20") -> DeviceModule:
    return compile_text(f"{PRELUDE}\n{text}", standard)


def after(device: DeviceModule, passes: str = "attach-facts,kernel-entries,inner-arguments") -> str:
    run_pipeline(parse_pipeline(passes), PassContext(device.facts), device.module)
    return device.module.to_text()


def lines(text: str, *parts: str) -> list[str]:
    return [line for line in text.splitlines() if all(part in line for part in parts)]


# Functions.


@pytest.mark.parametrize("spelling", [*FUNCTION, *(f"__{name}__" for name in FUNCTION)])
def test_functions(compile_text: "Compile", spelling: str) -> None:
    given = f'PROPERTIES({spelling}, "my-height", "my-flag", 3, "")'
    device = compiled(
        compile_text,
        f"{given} int helper(int x) {{ return x; }}\nKERNEL void k(int *p) {{ *p = helper(1); }}",
    )
    (helper,) = (f for f in device.facts.functions if f.name == "helper")
    assert helper.attributes == BOTH
    text = after(device)
    (attributes,) = lines(text, '"my-height"="3"')
    assert '"my-flag"' in attributes
    (definition,) = lines(text, "define", "@_Z6helperi(")
    assert attributes.split()[1] in definition
    assert "llvm.global.annotations" not in text


VALUES = [
    ('"text"', "text"),
    ('""', ""),
    ("nullptr", ""),
    ('"gr\\u00fcn, \\"so\\" \\\\"', 'grün, "so" \\'),
    ("constant", "from a constant"),
    ("array", "from an array"),
    ("builder::value", "8,4,1"),
    ("0", "0"),
    ("-7", "-7"),
    ("7u", "7"),
    ("9223372036854775807ll", "9223372036854775807"),
    ("-9223372036854775807ll - 1", "-9223372036854775808"),
    ("18446744073709551615ull", "18446744073709551615"),
    ("short(-3)", "-3"),
    ("(signed char)65", "65"),
    ("(unsigned char)65", "65"),
    ("1.5f", "1.500000"),
    ("1.5", "1.500000"),
    ("-0.1", "-0.100000"),
    ("1e-9", "0.000000"),
    ("1e20", "100000000000000000000.000000"),
    ("true", "true"),
    ("1 == 2", "false"),
    ("'c'", "c"),
    ("u8'c'", "c"),
    ("u'\\u00fc'", "ü"),
    ("U'\\U0001F600'", "😀"),
    ("L'\\u20ac'", "€"),
    ("plain_two", "2"),
    ("scoped::minus", "-1"),
    ("wide::most", "18446744073709551615"),
    ("character::a", "97"),
    ("truth::yes", "1"),
    ("sizeof(long)", "8"),
]
CONSTANTS = """
inline constexpr const char *constant = "from a constant";
inline constexpr char array[] = "from an array";
enum plain { plain_one = 1, plain_two }; enum class scoped { minus = -1 };
enum class wide : unsigned long { most = ~0ul }; enum class character : char { a = 'a' };
enum class truth : bool { no, yes };
struct text { char content[8] = {}; };
constexpr text build(int a, int b, int c) { text t; int n = 0;
  int parts[] = {a, b, c};
  for (int part : parts) { if (n) t.content[n++] = ','; t.content[n++] = '0' + part; } return t; }
struct builder { static constexpr text built = build(8, 4, 1);
  static constexpr const char *value = built.content; };
"""


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[value for value, _ in VALUES])
def test_values(compile_text: "Compile", value: str, text: str) -> None:
    device = compiled(
        compile_text,
        f'{CONSTANTS}\nPROPERTIES(add_ir_attributes_function, "mine", {value}) int f()'
        " { return 0; }\n"
        f'auto lambda = []() PROPERTIES(add_ir_attributes_function, "mine", {value})'
        " { return 0; };\n"
        "template <class T> struct holder { PROPERTIES(add_ir_attributes_function,"
        ' "mine", T::given) static int f() { return 0; } };\n'
        f"struct giver {{ static constexpr auto given = {value}; }};\n"
        "KERNEL void k(int *p) { *p = f() + lambda() + holder<giver>::f(); }",
    )
    found = [f.attributes for f in device.facts.functions if f.attributes.keys() == {"mine"}]
    assert found == [{"mine": text}] * 3


def test_any_spelling_of_a_list(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        'PROPERTIES(add_ir_attributes_function) PROPERTIES(add_ir_function_attributes, "b", 2)\n'
        "int f(int x);\n"
        '[[using __sycl_detail__: add_ir_attributes_function("a", 1)]]\n'
        'int f(int x) PROPERTIES(add_ir_attributes_function, "c", 3) { return x; }\n'
        "KERNEL void k(int *p) { *p = f(1); }",
    )
    (function,) = (f for f in device.facts.functions if f.name == "f")
    assert function.attributes == {"a": "1", "b": "2", "c": "3"}


@pytest.mark.parametrize(
    ("kept", "found"),
    [("{}", {}), ('{"b"}', {"b": "2"}), ('{"c", "a", "x"}', {"a": "1", "c": "3"})],
)
def test_only_named_properties_are_kept(
    compile_text: "Compile", kept: str, found: dict[str, str]
) -> None:
    device = compiled(
        compile_text,
        f'[[__sycl_detail__::add_ir_attributes_function({kept}, "a", "b", "c", 1, 2, 3)]]'
        " [[clang::sycl_external]] void f() {}\n"
        "template <class... P> [[__sycl_detail__::add_ir_attributes_function("
        f"{kept}, P::meta_name..., P::meta_value...)]] void g() {{}}\n"
        'template <int N> struct p { static constexpr auto meta_name = N == 1 ? "a" : N == 2 ? "b"'
        ' : "c"; static constexpr int meta_value = N; };\n'
        "[[clang::sycl_external]] void h() { g<p<1>, p<2>, p<3>>(); }",
    )
    functions = [f.attributes for f in device.facts.functions if f.name[0] in "fg"]
    assert functions == [found] * len(functions)
    assert functions


def test_a_kernel_has_the_properties_of_its_function(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        'PROPERTIES(add_ir_attributes_function, "mine", 1) KERNEL void k() {}\n'
        'struct object { PROPERTIES(add_ir_attributes_function, "object\'s", 2)'
        " void operator()() const {} };\n"
        'template <class N, class F> PROPERTIES(add_ir_attributes_function, "entry\'s", 3)'
        " [[clang::sycl_kernel_entry_point(N)]] void begin(F f) { f(); }\n"
        "class name; void host() { begin<name>(object()); }",
    )
    text = after(device)
    for entry, wanted in {
        "__sycl_kernel__Z1kv": ["mine"],
        "_ZTS4name": ["object's", "entry's"],
    }.items():
        (definition,) = lines(text, "define", f"spir_kernel void @{entry}(")
        group = definition.split("#")[1].split()[0]
        (attributes,) = lines(text, f"attributes #{group} =")
        assert all(f'"{name}"=' in attributes for name in wanted)
    named = [node[0] for node in device.module.named_metadata("sycl_properties")]
    assert set(named) == {"mine", "object's", "entry's", "sycl-nd-range-kernel"}
    assert len(named) == 4


# Global variables.


@pytest.mark.parametrize("spelling", VARIABLE)
def test_unused_variables_are_kept(compile_text: "Compile", spelling: str) -> None:
    device = compiled(
        compile_text,
        f'struct PROPERTIES({spelling}, "my-height", "my-flag", 3, "") mine {{ int v = 0; }};\n'
        "mine one; [[maybe_unused]] static mine hidden; inline mine shared; mine grid[2][3];\n"
        "namespace n { namespace { [[maybe_unused]] mine deep; } }\n"
        "struct owner { static mine late; static inline mine early; private:\n"
        "  static inline mine locked; };\nmine owner::late;\n"
        "template <class T> mine each;\n"
        "KERNEL void k(int *p) { static mine local; *p = one.v + each<int>.v + local.v; }",
    )
    symbols = [
        "one",
        "_ZL6hidden",
        "shared",
        "grid",
        "_ZN1n12_GLOBAL__N_14deepE",
        "_ZN5owner4lateE",
        "_ZN5owner5earlyE",
        "_ZN5owner6lockedE",
        "_Z4eachIiE",
        "_ZZ1kPiE5local",
    ]
    found = {variable.symbol: variable for variable in device.facts.variables}
    assert found.keys() == {*symbols}
    assert all(variable.attributes == BOTH for variable in found.values())
    place = found["_ZL6hidden"].place
    assert (place.file, place.line, place.column) == ("<stdin>", 4, 40)
    assert found["_ZN5owner5earlyE"].name == "owner::early"
    text = after(device, "attach-facts,kernel-entries,inner-arguments,optimize")
    (attributes,) = lines(text, '"my-height"="3"', "attributes")
    assert '"my-flag"' in attributes
    for symbol in symbols:
        (definition,) = lines(text, f"@{symbol} = ", "addrspace(1) global")
        assert definition.endswith(attributes.split()[1])
    # What clang was given to get them is gone, and nobody folds what the host may write.
    assert "define" not in "".join(lines(text, "@__dovetail_variables"))
    assert lines(text, "load i32, ptr addrspace(1) @_ZZ1kPiE5local")


def test_declared_variables(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        "extern global<height> elsewhere; KERNEL void k(int *p) { *p = elsewhere.v; }",
    )
    (variable,) = lines(after(device), "@elsewhere = external")
    assert "#" in variable


def test_only_variables_of_the_type_have_properties(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        "struct around { global<height> inner; }; constexpr around one{};\n"
        "constexpr global<> plain{};\n"
        "KERNEL void k(global<height> given, int *p)\n"
        "{ global<height> local; *p = local.v + given.v + one.inner.v + plain.v; }",
    )
    assert device.facts.variables == ()
    assert "my-height" not in after(device)


# Kernel parameters.


Found = list[tuple[str, int, dict[str, str]]]
"""Kind and offset of a member, or name of a parameter; properties."""


def arguments(device: DeviceModule) -> Found:
    (kernel,) = device.facts.kernels
    found: Found = []
    for given in kernel.argument_attributes:
        parameter = kernel.parameters[given.parameter]
        member = parameter.members[given.member] if given.member is not None else None
        name, offset = (member.kind, member.offset) if member else (parameter.name, -1)
        found.append((name, offset, given.attributes))
    return found


HEIGHT = {"my-height": "3"}
OBJECTS: list[tuple[str, Found]] = [
    ("pointer<int, height> a; int *q", [("pointer", 0, HEIGHT)]),
    ("char c; pointer<int, height> a", [("pointer", 8, HEIGHT)]),
    ("pointer<int, height> a[2]", [("pointer", 0, HEIGHT), ("pointer", 8, HEIGHT)]),
    ("pointer<int, height> a[2][1]", [("pointer", 0, HEIGHT), ("pointer", 8, HEIGHT)]),
    ("struct { int n; pointer<int, height> a; } s", [("pointer", 8, HEIGHT)]),
    ("struct d : pointer<int, height> { int n; } s", [("pointer", 0, HEIGHT)]),
    ("int *q; pointer<int> a; int n", []),
    ("pointer<pointer<int, height>, flag> a; int n", [("pointer", 0, {"my-flag": ""})]),
    ("two<int, height> t; int n", []),
    ("sized s; int n", [("global_pointer", 8, HEIGHT)]),
    ("around s; int n", [("pointer", 0, {"outer": "1"})]),
    ("local l; int n", [("local", 0, HEIGHT)]),
    ("buffer b; int n", [("pointer", 0, HEIGHT)]),
    ("number n; int m", []),
]
CLASSES = """
template <class T, class... P>
struct PROPERTIES(add_ir_attributes_kernel_parameter, P::meta_name..., P::meta_value...) two {
  T *a, *b; };
struct PROPERTIES(add_ir_attributes_kernel_parameter, "my-height", 3) sized {
  int n; struct { __attribute__((opencl_global)) int *p; } inner; };
struct PROPERTIES(add_ir_attributes_kernel_parameter, "outer", 1) around {
  pointer<int, height> p; };
struct [[__sycl_detail__::kernel_argument("local")]]
PROPERTIES(add_ir_attributes_kernel_parameter, "my-height", 3) local { char *p; };
struct [[__sycl_detail__::kernel_argument("buffer")]]
PROPERTIES(add_ir_attributes_kernel_parameter, "my-height", 3) buffer { char *p; };
struct PROPERTIES(add_ir_attributes_kernel_parameter, "my-height", 3) number { int n; };
"""


@pytest.mark.parametrize(("members", "found"), OBJECTS, ids=[members for members, _ in OBJECTS])
def test_parts_of_kernel_objects(compile_text: "Compile", members: str, found: Found) -> None:
    device = compiled(
        compile_text,
        f"{CLASSES}struct object {{ {members}; void operator()() const {{}} }};\n"
        "class name; void host(object o) { start<name>(o); }",
    )
    assert arguments(device) == found
    (entry,) = lines(after(device), "spir_kernel void @_ZTS4name(")
    assert entry.count("%inner") == len(found)
    for _, _, attributes in found:
        for name, value in attributes.items():
            assert f'"{name}"="{value}"' in entry or (not value and f'"{name}"' in entry)


@pytest.mark.parametrize("spelling", PARAMETER)
def test_parameters_of_plain_functions(compile_text: "Compile", spelling: str) -> None:
    device = compiled(
        compile_text,
        f'struct PROPERTIES({spelling}, "my-height", 3) number {{ int n, m; }};\n'
        f'struct PROPERTIES({spelling}, "my-depth", 4) pair {{ int n; int *p; }};\n'
        "KERNEL void k(int *q, number n, pair p, number *to) { *q = n.n + *p.p + to->n; }",
    )
    assert arguments(device) == [("n", -1, HEIGHT), ("pointer", 8, {"my-depth": "4"})]
    text = after(device)
    (entry,) = lines(text, "spir_kernel void @__sycl_kernel_")
    assert 'byval(%struct.number) align 4 "my-height"="3" %' in entry
    assert 'ptr addrspace(1) "my-depth"="4" %inner0' in entry
    assert entry.count('"my-') == 2
    # The function itself stays as it is.
    assert '"my-' not in lines(text, "spir_func void @_Z1k")[0]


# Members.

ANNOTATED = """
struct mine { int n; int *p PROPERTIES(MEMBER_KIND, "foo", "bar", "", 32);
  mine(int *q) : p(q) {} int *get() const { return p; } };
KERNEL void k(int *q, mine *m) {
  mine local(q);
  *local.get() = 1;
  m->p = q;
  mine &reference = local;
  int **address = &reference.p;
  **address = *reference.p;
}
"""


@pytest.mark.parametrize("spelling", MEMBER)
def test_accesses_of_members(compile_text: "Compile", spelling: str) -> None:
    text = ANNOTATED.replace("MEMBER_KIND", spelling)
    device = compiled(compile_text, text)
    found = device.module.to_text()
    assert '[27 x i8] c"sycl-properties:foo,bar=32\\00", section "llvm.metadata"' in found
    calls = lines(found, "call ptr addrspace(4) @llvm.ptr.annotation")
    # In the constructor, in `get`, the assignment, the address, the read.
    assert len(calls) == 5
    assert all("i32 4, ptr addrspace(1) null)" in call for call in calls)
    assert '[8 x i8] c"<stdin>\\00", section "llvm.metadata"' in found
    assert "dovetail." not in found
    optimized = after(device, "attach-facts,kernel-entries,inner-arguments,optimize")
    assert lines(optimized, "call ptr addrspace(4) @llvm.ptr.annotation")


def test_members_without_annotation(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        "template <class... P> struct holder {\n"
        "  int v PROPERTIES(add_ir_annotations_member, P::meta_name..., P::meta_value...);\n"
        '  int bits PROPERTIES(add_ir_annotations_member, "a", 1) : 3; };\n'
        "KERNEL void k(holder<> *a) { a->v = a->bits; }",
    )
    assert "annotation" not in after(device)


def test_members_of_instances(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        "template <class... P> struct holder {\n"
        "  PROPERTIES(add_ir_annotations_member, P::meta_name..., P::meta_value...) int v; };\n"
        "KERNEL void k(holder<height> *a, holder<flag, height> *b) { a->v = b->v; }",
    )
    text = device.module.to_text()
    assert 'c"sycl-properties:my-height=3\\00"' in text
    assert 'c"sycl-properties:my-flag,my-height=3\\00"' in text


def test_users_annotations_stay(compile_text: "Compile") -> None:
    device = compiled(
        compile_text,
        'struct s { int v [[clang::annotate("the user\'s")]]; };\n'
        "KERNEL void k(s *a) { a->v = 1; }",
    )
    assert 'c"the user\'s\\00"' in device.module.to_text()


@pytest.mark.parametrize("family", [IRFamily.NVPTX64, IRFamily.AMDGCN])
def test_other_families_have_no_annotations(tmp_path: Path, family: IRFamily) -> None:
    bitcode, facts = tmp_path / "k.bc", tmp_path / "k.json"
    text = ANNOTATED.replace("MEMBER_KIND", MEMBER[0])
    mark = '[[__sycl_detail__::add_ir_attributes_function("sycl-nd-range-kernel", 1)]]'
    source = Source.from_text(f"{PRELUDE}\n{text}".replace("KERNEL", mark))
    command = compile_command(
        source, Flags(), header=None, bitcode=bitcode, facts=facts, family=family
    )
    run_clang((*command, "-S"), source.text.encode())
    written = bitcode.read_text()
    assert "define" in written
    assert "annotation" not in written


# Elsewhere.


def test_ignored_where_it_does_not_belong(compile_text: "Compile") -> None:
    every = (*FUNCTION, *VARIABLE, *PARAMETER, *MEMBER)
    given = " ".join(f'PROPERTIES({name}, "stray", 1)' for name in every)
    classes = " ".join(f'PROPERTIES({name}, "stray", 1)' for name in (*FUNCTION, *MEMBER))
    functions = " ".join(
        f'PROPERTIES({name}, "stray", 1)' for name in (*VARIABLE, *PARAMETER, *MEMBER)
    )
    fields = " ".join(
        f'PROPERTIES({name}, "stray", 1)' for name in (*VARIABLE, *PARAMETER, *FUNCTION)
    )
    device = compiled(
        compile_text,
        f"{given} constexpr int one = 1; struct {classes} s {{ {fields} int v; }}; s plain;\n"
        f"enum {given} e {{ a {given} }}; {given} typedef int number; {functions} int f({given}"
        f" int x) {{ {given} int y = x; {given} return y; }}\n"
        f"template <class T> int t(T x) {{ {given} T y = x; return y; }}\n"
        "KERNEL void k(int *p, s given) { *p = f(one) + t(2) + given.v + number(a); }",
    )
    assert "stray" not in after(device)
    assert "annotation" not in device.module.to_text()


def test_the_host_ignores_all_of_them(tmp_path: Path) -> None:
    text = (
        f"{PRELUDE}\nstruct odd {{ int v PROPERTIES(add_ir_annotations_member, 1); }};\n"
        "PROPERTIES(add_ir_attributes_function, 1) int f(odd o) { return o.v; }\n"
        'struct PROPERTIES(add_ir_attributes_global_variable, "a") g {}; g variable;\n'
    )
    output = tmp_path / "host.ll"
    words = ("-x", "c++", "-", "-O1", "-Wall", "-S", "-emit-llvm", "-o", str(output))
    assert run_clang((*common_options(Side.HOST), *words), text.encode()) == ""
    assert "llvm.ptr.annotation" not in output.read_text()
