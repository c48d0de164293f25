"""Attributes in every spelling that DPC++ knows: what they mean, and which are ignored."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dovetail.errors import CompileError
from dovetail.frontend import Flags, Source, compile_command, run_clang

if TYPE_CHECKING:
    from conftest import Read

REFERENCE = Path(__file__).parents[3] / "docs" / "aspects.md"

# The attribute of an external function, and the facts that it has.
MEANINGS = {
    "[[sycl::reqd_sub_group_size(8)]]": {"reqd_sub_group_size": 8},
    "[[intel::reqd_sub_group_size(8)]]": {"reqd_sub_group_size": 8},
    "[[INTEL::reqd_sub_group_size(8)]]": {"reqd_sub_group_size": 8},
    "[[__intel__::__reqd_sub_group_size__(8)]]": {"reqd_sub_group_size": 8},
    "[[intel::sub_group_size(8)]]": {"reqd_sub_group_size": 8},
    "[[cl::intel_reqd_sub_group_size(8)]]": {"reqd_sub_group_size": 8},
    "__attribute__((intel_reqd_sub_group_size(8)))": {"reqd_sub_group_size": 8},
    "__attribute__((used, __intel_reqd_sub_group_size__(N * 2), hot))": {"reqd_sub_group_size": 8},
    "[[sycl::reqd_work_group_size(2, 3)]]": {"reqd_work_group_size": (2, 3)},
    "[[intel::reqd_work_group_size(2, 3)]]": {"reqd_work_group_size": (2, 3)},
    "[[cl::reqd_work_group_size(2, 3, 4)]]": {"reqd_work_group_size": (2, 3, 4)},
    "__attribute__((reqd_work_group_size(2, 3, 4)))": {"reqd_work_group_size": (2, 3, 4)},
    "[[cl::work_group_size_hint(2, 3, 4)]]": {"work_group_size_hint": (2, 3, 4)},
    "__attribute__((work_group_size_hint(2, 3, 4)))": {"work_group_size_hint": (2, 3, 4)},
    "[[using intel: kernel_args_restrict, reqd_sub_group_size(8), num_simd_work_items(4)]]": {
        "reqd_sub_group_size": 8
    },
    "[[using cl: reqd_work_group_size(2, 3, 4), intel_reqd_sub_group_size(8)]]": {
        "reqd_sub_group_size": 8,
        "reqd_work_group_size": (2, 3, 4),
    },
    "[[intel::max_work_group_size(2, 3, 4), sycl::reqd_work_group_size(3, 4)]]": {
        "reqd_work_group_size": (3, 4)
    },
    "[[intel::kernel_args_restrict(), sycl::device_has(), intel::no_global_work_offset]]": {
        "aspects": ()
    },
}


def test_meanings(read_marked: "Read") -> None:
    functions = (f"{given} EXTERNAL void f{i}() {{}}" for i, given in enumerate(MEANINGS))
    reading = read_marked("\n".join(["constexpr int N = 4;", *functions]))
    for number, expected in enumerate(MEANINGS.values()):
        function = reading.function(f"f{number}")
        facts = {
            "reqd_sub_group_size": function.reqd_sub_group_size,
            "reqd_work_group_size": function.reqd_work_group_size or None,
            "work_group_size_hint": function.work_group_size_hint or None,
            "aspects": function.declared.aspects if function.declared else None,
        }
        assert {name: value for name, value in facts.items() if value is not None} == expected


# Each line has a function or kernel whose attribute says that its size is 8.
PLACES = """
[[ATTR]] EXTERNAL void f1() {}
EXTERNAL void f2 [[ATTR]] () {}
EXTERNAL void f3() [[ATTR]] {}
template <int N> [[ATTR]] void f4() {} EXTERNAL void g4() { f4<8>(); }
struct S5 { [[ATTR]] void operator()() const {} }; void g5() { start<class K5>(S5()); }
struct S6 { void operator()() const [[ATTR]] {} }; void g6() { start<class K6>(S6()); }
template <int N> struct S7 { [[ATTR]] void operator()() const {} };
void g7() { start<class K7>(S7<8>()); }
void g8() { start<class K8>([] [[ATTR]] () {}); }
void g9() { start<class K9>([]() [[ATTR]] {}); }
template <int N> void f10() { start<class K10>([]() [[ATTR]] {}); } void g10() { f10<8>(); }
""".strip().split("\n")


@pytest.mark.parametrize("size", ["8", "N"])
@pytest.mark.parametrize(
    "name", ["intel::reqd_sub_group_size", "cl::intel_reqd_sub_group_size", "GNU"]
)
def test_places(read_marked: "Read", name: str, size: str) -> None:
    attribute, places = f"[[{name}({size})]]", PLACES
    if name == "GNU":
        attribute = f"__attribute__((intel_reqd_sub_group_size({size})))"
        # Clang does not accept it there, as for all attributes of this kind.
        places = [each for each in PLACES if "f2 " not in each and "] () {}" not in each]
    text = "\n".join(["constexpr int N = 8;", *places]).replace("[[ATTR]]", attribute)
    functions = read_marked(text).facts.functions
    sizes = [f.reqd_sub_group_size for f in functions if f.reqd_sub_group_size]
    assert sizes == [8] * sum("ATTR" in each for each in places)


def test_device_function(read_marked: "Read") -> None:
    """`sycl_device` is DPC++'s name for SYCL_EXTERNAL."""
    reading = read_marked(
        "__attribute__((sycl_device)) int elsewhere(); void host() {}\n"
        "static __attribute__((sycl_device)) int internal() { return elsewhere(); }\n"
        "__attribute__((sycl_device)) int here() { return internal(); }"
    )
    assert {f.name for f in reading.facts.functions if f.is_external} == {"elsewhere", "here"}


def documented(heading: str) -> list[str]:
    """Return the attributes in the first column of the table below a heading."""
    section = REFERENCE.read_text().split(f"### {heading}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.M)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


IGNORED_ON_STATEMENTS = documented("Ignored on loops")
IGNORED_ON_VARIABLES = documented("Ignored on variables")
IGNORED_ON_FUNCTIONS = documented("Ignored on functions")


def test_ignored_attributes(tmp_path: Path) -> None:
    """Neither side warns, whatever the arguments; the code around them is compiled."""

    def all_of(names: list[str]) -> list[str]:
        forms = [f"[[intel::{name}]]" for name in names if "::" not in name]
        forms += [form.replace("intel::", "intelfpga::") for form in forms]
        forms.append(f"[[using intel: {', '.join(n for n in names if '::' not in n)}]]")
        return forms + [f"[[{name}]]" for name in names if "::" in name]

    lines = ["extern int array[8];"]
    for number, attribute in enumerate(all_of(IGNORED_ON_STATEMENTS)):
        lines.append(f"int loop{number}(int n) {{ {attribute} for (; n < 9; ++n) ++array[n - 2];")
        lines.append(f"{attribute} while (n) --n; {attribute} do ++n; while (n < 9); return n; }}")
    for number, attribute in enumerate(all_of(IGNORED_ON_VARIABLES)):
        lines.append(f"{attribute} const int constant{number} = 3;")
        lines.append(f"struct s{number} {{ {attribute} int member[4]; }};")
        lines.append(f"int variable{number}() {{ {attribute} int x[2] = {{1}}; return x[0]; }}")
    for number, attribute in enumerate(all_of(IGNORED_ON_FUNCTIONS)):
        lines.append(f"{attribute} void function{number}() {{ []() {attribute} {{}}(); }}")
    source = Source.from_text("\n".join(lines))
    flags = Flags(warnings=("-Wall", "-Wextra", "-Wno-unused-const-variable"))
    facts, bitcode = tmp_path / "k.json", tmp_path / "k.bc"
    command = compile_command(source, flags, header=None, bitcode=bitcode, facts=facts)
    assert run_clang(command, source.text.encode()) == ""
    assert len(lines) > 100


def test_number_of_ignored_attributes() -> None:
    assert len(IGNORED_ON_STATEMENTS) > 10
    assert len(IGNORED_ON_VARIABLES) > 10
    assert len(IGNORED_ON_FUNCTIONS) > 5


# A source on each line, and the messages that clang writes about it, without places.
DIAGNOSTICS = {
    "[[cl::reqd_work_group_size(4)]] void f();": [
        "warning: attribute 'cl::reqd_work_group_size' is deprecated [-Wdeprecated-attributes]",
        "note: did you mean to use 'sycl::reqd_work_group_size' instead?",
        "error: 'cl::reqd_work_group_size' expects three sizes, got 1",
    ],
    "__attribute__((reqd_work_group_size(4, 4))) void f();": [
        "warning: attribute 'reqd_work_group_size' is deprecated [-Wdeprecated-attributes]",
        "note: did you mean to use 'sycl::reqd_work_group_size' instead?",
        "error: 'reqd_work_group_size' expects three sizes, got 2",
    ],
    "__attribute__((intel_reqd_sub_group_size)) void f();": [
        "warning: attribute 'intel_reqd_sub_group_size' is deprecated [-Wdeprecated-attributes]",
        "note: did you mean to use 'sycl::reqd_sub_group_size' instead?",
        "error: 'intel_reqd_sub_group_size' expects one size, got 0",
    ],
    "[[sycl::reqd_sub_group_size(8), intel::reqd_sub_group_size(16)]] void f();": [
        "warning: attribute 'intel::reqd_sub_group_size' is deprecated [-Wdeprecated-attributes]",
        "note: did you mean to use 'sycl::reqd_sub_group_size' instead?",
        "error: 'intel::reqd_sub_group_size' conflicts with an earlier attribute; use the same"
        " arguments in both",
        "note: the earlier attribute is here",
    ],
    "[[sycl::reqd_work_group_size(64)]] [[intel::max_work_group_size(99, 9, 8)]] void f();": [
        "error: 'intel::max_work_group_size' conflicts with 'sycl::reqd_work_group_size': the"
        " required size is larger than the largest one",
        "note: the earlier attribute is here",
    ],
    "[[intel::max_work_group_size(2, 3, 7)]] void f(); [[sycl::reqd_work_group_size(7, 3, 2)]] void"
    " f();": [
        "error: 'sycl::reqd_work_group_size' conflicts with 'intel::max_work_group_size': the"
        " required size is larger than the largest one",
        "note: the earlier attribute is here",
    ],
    "[[intel::num_simd_work_items(5)]] [[sycl::reqd_work_group_size(5, 5, 8)]] void f();": [
        "error: 'sycl::reqd_work_group_size' conflicts with 'intel::num_simd_work_items': the last"
        " size of the work-group is not a multiple of the number",
        "note: the earlier attribute is here",
    ],
    "[[intel::max_global_work_dim(0), sycl::reqd_work_group_size(1, 1, 8)]] void f();": [
        "error: 'sycl::reqd_work_group_size' conflicts with 'intel::max_global_work_dim': without"
        " dimensions, all sizes are 1",
        "note: the earlier attribute is here",
    ],
    "[[intel::named_sub_group_size(automatic), sycl::reqd_sub_group_size(8)]] void f();": [
        "error: 'sycl::reqd_sub_group_size' conflicts with 'intel::named_sub_group_size': a kernel"
        " has one sub-group size",
        "note: the earlier attribute is here",
    ],
    "[[intel::named_sub_group_size(primary)]] void f();": [
        "error: 'intel::named_sub_group_size' with 'primary' is not supported; use"
        " 'sycl::reqd_sub_group_size' with one of the device's info::device::sub_group_sizes",
    ],
    "[[intel::named_sub_group_size(other)]] void f();": [
        "error: 'intel::named_sub_group_size' expects 'automatic' or 'primary'"
    ],
    "[[intel::sycl_explicit_simd]] void f();": [
        "error: 'intel::sycl_explicit_simd' is not supported: explicit SIMD kernels are not"
        " implemented; write the kernel for work-items and use the functions of sycl::sub_group",
    ],
    "[[using intel: sycl_explicit_simd]] void f();": [
        "error: 'intel::sycl_explicit_simd' is not supported: explicit SIMD kernels are not"
        " implemented; write the kernel for work-items and use the functions of sycl::sub_group",
    ],
    "[[intel::max_work_group_size(1, 2)]] void f();": [
        "error: 'intel::max_work_group_size' expects three sizes, got 2"
    ],
    "[[intel::no_global_work_offset(3)]] void f();": [
        "error: 'intel::no_global_work_offset' expects numbers from 0 to 1, got 3"
    ],
    "[[intel::no_global_work_offset(1, 1)]] void f();": [
        "error: 'intel::no_global_work_offset' expects at most one number, got 2"
    ],
    "[[intel::max_global_work_dim(4)]] void f();": [
        "error: 'intel::max_global_work_dim' expects numbers from 0 to 3, got 4"
    ],
    "[[intel::num_simd_work_items(1.5)]] void f();": [
        "error: 'intel::num_simd_work_items' expects integers, got a value of type 'double'"
    ],
    "[[intel::scheduler_target_fmax_mhz()]] void f();": [
        "error: 'intel::scheduler_target_fmax_mhz' expects one number, got 0"
    ],
    "[[intel::num_simd_work_items(8)]] int x;": [
        "error: 'intel::num_simd_work_items' attribute only applies to functions"
    ],
    "[[intel::no_such_attribute(8)]] void f();": [
        "warning: unknown attribute 'intel::no_such_attribute' ignored [-Wunknown-attributes]"
    ],
    "[[sycl::reqd_subgroup_size(8)]] void f();": [
        "warning: unknown attribute 'sycl::reqd_subgroup_size' ignored [-Wunknown-attributes]"
    ],
}


def test_diagnostics(tmp_path: Path) -> None:
    lines = (f"namespace n{i} {{ {text} }}" for i, text in enumerate(DIAGNOSTICS))
    source = Source.from_text("\n".join(lines))
    flags = Flags(language=("-ferror-limit=0",))
    command = compile_command(
        source, flags, header=None, bitcode=tmp_path / "k.bc", facts=tmp_path / "k.json"
    )
    with pytest.raises(CompileError) as caught:
        run_clang(command, source.text.encode())
    found = re.findall(r"^<stdin>:(\d+):\d+: (.*)$", caught.value.message, re.M)
    for number, (text, expected) in enumerate(DIAGNOSTICS.items(), 1):
        assert [message for line, message in found if line == str(number)] == expected, text


def test_deprecation_is_a_clang_warning(tmp_path: Path) -> None:
    source = Source.from_text("[[intel::reqd_sub_group_size(8)]] void f();")
    for warning, is_error in (("-Werror", True), ("-Wno-deprecated-attributes", False)):
        command = compile_command(
            source,
            Flags(warnings=(warning,)),
            header=None,
            bitcode=tmp_path / "k.bc",
            facts=tmp_path / "k.json",
        )
        if is_error:
            with pytest.raises(CompileError, match="-Werror,-Wdeprecated-attributes"):
                run_clang(command, source.text.encode())
        else:
            assert run_clang(command, source.text.encode()) == ""
