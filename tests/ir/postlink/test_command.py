"""The options, files and errors of `dovetail post-link`."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dovetail.image import parse_property_sets
from dovetail.ir import Context, Module

Capture = pytest.CaptureFixture[str]
Run = Callable[..., int]

PLAIN = "define spir_kernel void @plain() { ret void }\n"
DOUBLE = "define spir_kernel void @double() !sycl_used_aspects !0 { ret void }\n!0 = !{i32 6}\n"

# Two sources; in the first two kernels that fit together and one that does not.
SOURCES = """
define spir_kernel void @a1() #0 { ret void }
define spir_kernel void @a2() #0 !sycl_used_aspects !0 { ret void }
define spir_kernel void @a3() #0 { ret void }
define spir_kernel void @b1() #1 { ret void }
attributes #0 = { "sycl-module-id"="a.cpp" }
attributes #1 = { "sycl-module-id"="b.cpp" }
!0 = !{i32 6}
"""

# Something for every property set.
EVERYTHING = """
@shared = addrspace(1) global i32 0 #0
define spir_kernel void @kernel() !intel_reqd_sub_group_size !0 {
  call void @elsewhere()
  store i32 1, ptr addrspace(1) @shared
  ret void
}
define void @exported() #1 { ret void }
declare void @elsewhere()
attributes #0 = { "sycl-device-global-size"="4" "sycl-unique-id"="id" }
attributes #1 = { "sycl-module-id"="a.cpp" }
!0 = !{i32 16}
"""


def files(folder: Path) -> set[str]:
    """Return the files that were written."""
    return {path.name for path in folder.rglob("*") if path.is_file() and path.suffix != ".ll"}


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (["-split=auto"], ["a1 a3", "a2", "b1"]),
        (["--split=source"], ["a1 a3", "a2", "b1"]),
        (["-split", "kernel"], ["a1", "a2", "a3", "b1"]),
        (["--split", "off"], ["a1 a3 b1", "a2"]),
        (["-split=none"], ["a1 a2 a3 b1"]),
        ([], ["a1 a2 a3 b1"]),
    ],
)
def test_modes(post_link: Run, capsys: Capture, words: list[str], groups: list[str]) -> None:
    assert post_link(*words, "-json", "in.ll", **{"in": SOURCES}) == 0
    images = json.loads(capsys.readouterr().out)["images"]
    assert [" ".join(image["entry_points"]) for image in images] == groups


def test_files_and_table(post_link: Run, folder: Path, capsys: Capture) -> None:
    words = ["-split=auto", "-properties", "--symbols", "in.ll", "-o", "out.table"]
    assert post_link(*words, **{"in": PLAIN + DOUBLE}) == 0
    assert capsys.readouterr() == ("", "")
    assert (folder / "out.table").read_text() == (
        "[Code|Properties|Symbols]\nout_0.bc|out_0.prop|out_0.sym\nout_1.bc|out_1.prop|out_1.sym\n"
    )
    assert (folder / "out_0.sym").read_text() == "plain\n"
    assert (folder / "out_1.sym").read_text() == "double\n"
    assert (folder / "out_0.prop").read_text() == (
        "[SYCL/device requirements]\naspects=2|AAAAAAAAAAA\n"
    )
    code = Module.parse(Context(), (folder / "out_1.bc").read_bytes(), "out_1.bc")
    assert [function.name for function in code.functions()] == ["double"]
    written = {f"out_{number}{suffix}" for number in (0, 1) for suffix in (".bc", ".prop", ".sym")}
    assert files(folder) == written | {"out.table"}


def test_the_table_goes_to_standard_output_by_default(
    post_link: Run, folder: Path, capsys: Capture
) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/in.bc").write_text(PLAIN)
    assert post_link("sub/in.bc") == 0
    assert capsys.readouterr().out == "[Code]\nin_0.bc\n"
    assert files(folder) == {"in.bc", "in_0.bc"}
    assert post_link("-o", "-", "sub/in.bc") == 0
    assert capsys.readouterr().out == "[Code]\nin_0.bc\n"
    assert files(folder) == {"in.bc", "in_0.bc"}


@pytest.mark.parametrize("words", [["-out-dir", "o"], ["--out-dir=o"]])
def test_a_folder_for_images(post_link: Run, folder: Path, words: list[str]) -> None:
    (folder / "o").mkdir()
    assert post_link(*words, "-S", "-o", "t", "in.ll", **{"in": PLAIN}) == 0
    assert (folder / "t").read_text() == "[Code]\no/t_0.ll\n"
    assert "spir_kernel void @plain()" in (folder / "o/t_0.ll").read_text()


SETS = {
    "-emit-kernel-names": {"SYCL/kernel names"},
    "--emit-exported-symbols": {"SYCL/exported symbols"},
    "-emit-imported-symbols": {"SYCL/imported symbols"},
    "--emit-program-metadata": {"SYCL/program metadata"},
    "-device-globals": {"SYCL/device globals"},
}
ALWAYS = {"SYCL/device requirements", "SYCL/image-requirements"}


@pytest.mark.parametrize("word", ["-S", *SETS])
def test_optional_property_sets(post_link: Run, folder: Path, word: str) -> None:
    assert post_link("-split=auto", "-properties", word, "a.ll", "-o", "t", a=EVERYTHING) == 0
    found = [parse_property_sets(path.read_bytes()) for path in folder.glob("*.prop")]
    assert len(found) == 2
    assert {name for sets in found for name in sets} == ALWAYS | SETS.get(word, set())


def test_program_metadata_always_has_device_globals(post_link: Run, folder: Path) -> None:
    assert post_link("-properties", "-emit-program-metadata", "a.ll", "-o", "t", a=EVERYTHING) == 0
    sets = parse_property_sets((folder / "t_0.prop").read_bytes())
    assert sets["SYCL/program metadata"]["id@global_id_mapping"] == b"shared"


def test_exported_functions_can_be_left_out(post_link: Run, folder: Path, capsys: Capture) -> None:
    words = ["-emit-only-kernels-as-entry-points", "-emit-exported-symbols", "-properties"]
    assert post_link("-split=auto", *words, "-symbols", "-S", "a.ll", a=EVERYTHING) == 0
    assert capsys.readouterr().out == "[Code|Properties|Symbols]\na_0.ll|a_0.prop|a_0.sym\n"
    assert (folder / "a_0.sym").read_text() == "kernel\n"
    assert "exported" not in (folder / "a_0.prop").read_text()
    assert "@exported" not in (folder / "a_0.ll").read_text()


def test_inputs_are_linked(post_link: Run, folder: Path) -> None:
    caller = "declare void @f()\ndefine spir_kernel void @k() { call void @f()\n ret void }\n"
    callee = "define void @f() !sycl_used_aspects !0 { ret void }\n!0 = !{i32 5}\n"
    # Options may stand anywhere.
    assert post_link("-S", "a.ll", "-o", "t", "b.ll", "-symbols", a=caller, b=callee) == 0
    text = (folder / "t_0.ll").read_text()
    assert "spir_kernel void @k() !sycl_used_aspects" in text
    assert "define internal void @f() !sycl_used_aspects" in text
    assert "!{i32 5}" in text


def test_bitcode_and_standard_input(
    post_link: Run, folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bitcode = Module.parse(Context(), DOUBLE.encode(), "in").to_bitcode()
    for words in [["-"], []]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bitcode)))
        assert post_link("-symbols", *words) == 0
        assert capsys.readouterr().out == "[Code|Symbols]\na_0.bc|a_0.sym\n"
        assert (folder / "a_0.sym").read_text() == "double\n"


def test_a_table_for_each_target(post_link: Run, folder: Path) -> None:
    (folder / "mine.yaml").write_text("mine:\n  aspects: [fp64]\n  sub-group-sizes: [8]\n")
    half = "define spir_kernel void @half() !sycl_used_aspects !1 { ret void }\n!1 = !{i32 5}\n"
    outputs = ["all.table", "intel_gpu_dg1,dg1.table", "mine,m.table", "spir64,jit.table"]
    words = [word for output in outputs for word in ("-o", output)]
    status = post_link(
        *words, "-split=kernel", "-device-config-file=mine.yaml", "in.ll", **{"in": DOUBLE + half}
    )
    assert status == 0
    tables = {path.name: path.read_text() for path in folder.glob("*.table")}
    assert tables == {
        "all.table": "[Code]\nall_0.bc\nall_1.bc\n",
        "dg1.table": "[Code]\nall_1.bc\n",
        "m.table": "[Code]\nall_0.bc\n",
        "jit.table": "[Code]\nall_0.bc\nall_1.bc\n",
    }


def test_json(post_link: Run, capsys: Capture) -> None:
    sized = (
        "define spir_kernel void @s() !sycl_used_aspects !0 !reqd_work_group_size !1"
        " !work_group_num_dim !2 !intel_reqd_sub_group_size !3 { ret void }\n"
        "!0 = !{i32 6, i32 4000}\n!1 = !{i32 5, i32 3, i32 1}\n!2 = !{i32 2}\n!3 = !{i32 16}\n"
    )
    words = ["-split=auto", "-properties", "--json", "-S", "in.ll"]
    assert post_link(*words, **{"in": sized}) == 0
    assert json.loads(capsys.readouterr().out) == {
        "images": [
            {
                "code": "in_0.ll",
                "properties": "in_0.prop",
                "entry_points": ["s"],
                "requirements": {
                    "aspects": ["fp64", "4000"],
                    "sub_group_size": 16,
                    "work_group_size": [3, 5],
                },
            }
        ]
    }


def test_ir_output_only(post_link: Run, folder: Path, capsys: Capture) -> None:
    texts = {"a": SOURCES, "b": PLAIN}
    assert post_link("-ir-output-only", "-S", "a.ll", "b.ll", **texts) == 0
    text = capsys.readouterr().out
    assert "define spir_kernel void @b1()" in text
    assert "define spir_kernel void @plain()" in text
    assert post_link("--ir-output-only", "a.ll", "b.ll", "-o", "ab.bc") == 0
    assert files(folder) == {"ab.bc"}
    assert (folder / "ab.bc").read_bytes().startswith(b"BC")


def test_linking_first_changes_nothing(
    post_link: Run, folder: Path, capsys: Capture, compile_source: Callable[..., None]
) -> None:
    compile_source(
        "a",
        "EXTERNAL float f(float x);\n"
        "void go(float *p) { start<class K>([=] { *p = f(*p); }); }\n"
        "void on(float *p) { start<class L>([=] { *p = 1; }); }\n",
    )
    compile_source("b", "EXTERNAL float f(float x) { return x * 2.0; }\n")
    split = ["-split=auto", "-properties", "-symbols", "-emit-kernel-names", "-o", "t"]
    assert post_link(*split, "a.bc", "b.bc") == 0
    first = {path.name: path.read_bytes() for path in folder.glob("t*")}
    assert len(first) == 10
    assert post_link("-ir-output-only", "a.bc", "b.bc", "-o", "ab.bc") == 0
    assert post_link(*split, "ab.bc") == 0
    assert {path.name: path.read_bytes() for path in folder.glob("t*")} == first


def test_no_entry_points(post_link: Run, folder: Path, capsys: Capture) -> None:
    assert post_link("-split=auto", "a.ll", a="define void @f() { ret void }\n") == 0
    assert capsys.readouterr().out == "[Code]\n"
    assert files(folder) == set()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-split=sideways"], "unknown split mode 'sideways'"),
        (["-split=sideways"], "modes: auto, source, kernel, off, none"),
        (["-split"], "expected one argument"),
        (["-o", "intel_gpu_dg9,x.table"], "'intel_gpu_dg9'"),
        (["-o", "intel_gpu_dg9,x.table"], "did you mean 'intel_gpu_dg"),
        (["-o", "intel_gpu_dg1,"], "missing file name in '-o intel_gpu_dg1,'"),
        (["-propertes"], "unrecognized arguments: -propertes\ndovetail: did you mean '-proper"),
        (["--emit-kernel-name"], "did you mean '--emit-kernel-names'?"),
        (["-ir-output-only", "-split=auto"], "'-ir-output-only' and '-split' cannot be combined"),
        (
            ["-ir-output-only", "-properties"],
            "'-ir-output-only' and '-properties' cannot be combined",
        ),
        (["-ir-output-only", "-out-dir=o"], "'-ir-output-only' and '-out-dir' cannot be combined"),
        (["-ir-output-only", "-emit-only-kernels-as-entry-points"], "cannot be combined"),
        (["-ir-output-only", "-device-globals"], "cannot be combined"),
        (["-ir-output-only", "-o", "a", "-o", "b"], "'-ir-output-only' writes only one file"),
        (["-ir-output-only", "-o", "spir64,b"], "'-ir-output-only' writes only one file"),
    ],
)
def test_usage_errors(
    post_link: Run, folder: Path, capsys: Capture, words: list[str], message: str
) -> None:
    assert post_link("in.ll", *words, **{"in": PLAIN}) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.startswith("dovetail: error: ")
    assert captured.out == ""
    assert files(folder) == set()


BAD = {
    "bitcode": b"BC\xc0\xde" + bytes(range(64)),
    "cut": Module.parse(Context(), DOUBLE.encode(), "in").to_bitcode()[:400],
    "text": b"define spir_kernel void @k( { ret void }",
    "unverified": b"define i32 @f() { ret void }",
    "binary": bytes(range(256)),
}


@pytest.mark.parametrize("kind", BAD)
def test_inputs_that_are_not_ir(post_link: Run, folder: Path, capsys: Capture, kind: str) -> None:
    (folder / "bad.ll").write_bytes(BAD[kind])
    assert post_link("-properties", "in.ll", "bad.ll", "-o", "t", **{"in": PLAIN}) == 1
    error = capsys.readouterr().err
    assert error.startswith("bad.ll:")
    assert ": error: " in error
    assert "Traceback" not in error
    assert files(folder) == set()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.bc", "cannot read 'none.bc': No such file or directory"),
        (".", "cannot read '.': Is a directory"),
    ],
)
def test_inputs_that_cannot_be_read(
    post_link: Run, folder: Path, capsys: Capture, name: str, message: str
) -> None:
    assert post_link("in.ll", name, **{"in": PLAIN}) == 1
    assert message in capsys.readouterr().err
    assert files(folder) == set()


def kernel_with(kind: str, node: str) -> str:
    return f"define spir_kernel void @k() !{kind} !0 {{ ret void }}\n!0 = !{{{node}}}\n"


def facts_with(node: str) -> str:
    return f"!dovetail.facts = !{{!0}}\n!0 = !{{{node}}}\n"


SENSELESS = {
    "an aspect too high": (
        kernel_with("sycl_used_aspects", "i32 4096"),
        "in.ll: function 'k': !sycl_used_aspects: there is no aspect 4096",
    ),
    "an aspect too low": (
        kernel_with("intel_allowed_aspects", "i32 -1"),
        "in.ll: function 'k': !intel_allowed_aspects: there is no aspect -1",
    ),
    "a size of nothing": (
        kernel_with("reqd_work_group_size", "i32 8, i32 0, i32 1"),
        "in.ll: function 'k': !reqd_work_group_size is not a valid size: 8, 0, 1",
    ),
    "four dimensions": (
        kernel_with("reqd_work_group_size", "i32 1, i32 1, i32 1, i32 1"),
        "in.ll: function 'k': !reqd_work_group_size is not a valid size: 1, 1, 1, 1",
    ),
    "two sub-group sizes": (
        kernel_with("intel_reqd_sub_group_size", "i32 8, i32 16"),
        "in.ll: function 'k': !intel_reqd_sub_group_size is not a valid size: 8, 16",
    ),
    "other facts": (facts_with('!"{}", !"written"'), "invalid facts file"),
    "no facts": (
        facts_with("i32 1"),
        "in.ll: in !dovetail.facts: a node does not consist of facts",
    ),
    "a variable without a size": (
        '@g = global i32 0 #0\nattributes #0 = { "sycl-device-global-size"="big" }\n',
        "in.ll: variable 'g': expected a size below 2^32, got 'big'",
    ),
}


@pytest.mark.parametrize("problem", SENSELESS)
def test_invalid_ir(post_link: Run, folder: Path, capsys: Capture, problem: str) -> None:
    text, message = SENSELESS[problem]
    assert post_link("-split=auto", "in.ll", **{"in": text}) == 1
    assert message in capsys.readouterr().err
    assert files(folder) == set()


def test_no_image_is_written_if_one_fails(post_link: Run, folder: Path, capsys: Capture) -> None:
    strange = 'define spir_kernel void @"a=b"() { ret void }\n'
    words = ["-split=kernel", "-properties", "-emit-kernel-names", "in.ll", "-o", "t"]
    assert post_link(*words, **{"in": PLAIN + strange}) == 1
    assert "'a=b' cannot be a key" in capsys.readouterr().err
    assert files(folder) == set()


@pytest.mark.parametrize("words", [["-out-dir=none"], ["-o", "none/t"]])
def test_a_missing_folder(post_link: Run, folder: Path, capsys: Capture, words: list[str]) -> None:
    assert post_link(*words, "in.ll", **{"in": PLAIN}) == 1
    assert "cannot write 'none/" in capsys.readouterr().err
    assert files(folder) == set()


def test_names_that_a_table_cannot_contain(post_link: Run, folder: Path, capsys: Capture) -> None:
    assert post_link("-o", "a|b.table", "in.ll", **{"in": PLAIN}) == 1
    assert "a|b_0.bc" in capsys.readouterr().err
    assert files(folder) == set()


def test_two_definitions(post_link: Run, folder: Path, capsys: Capture) -> None:
    assert post_link("a.ll", "b.ll", a=PLAIN, b=PLAIN) == 1
    assert capsys.readouterr().err == (
        "b.ll: error: 'plain' is also defined in 'a.ll'\n"
        "dovetail: define it in one source, or make it inline or static\n"
    )
    assert files(folder) == set()


def test_image_does_not_replace_an_input(post_link: Run, folder: Path, capsys: Capture) -> None:
    (folder / "a_0.ll").write_text("define spir_kernel void @k() { ret void }\n")
    before = (folder / "a_0.ll").read_text()
    assert post_link("-S", "a_0.ll", "-o", "a.table") == 2
    assert "the output 'a_0.ll' is one of the inputs" in capsys.readouterr().err
    assert (folder / "a_0.ll").read_text() == before


def test_no_image_is_written_without_its_table(post_link: Run, folder: Path) -> None:
    (folder / "k.ll").write_text("define spir_kernel void @k() { ret void }\n")
    assert post_link("k.ll", "-out-dir=.", "-o", "nowhere/x.table") == 1
    assert [path.name for path in folder.iterdir()] == ["k.ll"]


def test_functions_without_names(post_link: Run, folder: Path) -> None:
    (folder / "k.ll").write_text(
        "define spir_kernel void @k() { call void @0() ret void }\n"
        "define void @0() !sycl_used_aspects !0 { ret void }\n!0 = !{i32 6}\n"
    )
    assert post_link("-split=auto", "-properties", "k.ll", "-o", "x.table") == 0
    assert "aspects=2|gAAAAAAAAAgBAAAA" in (folder / "x_0.prop").read_text()


def test_table_does_not_replace_an_input(post_link: Run, folder: Path) -> None:
    text = "define spir_kernel void @k() { ret void }\n"
    (folder / "k.ll").write_text(text)
    assert post_link("k.ll", "-o", "k.ll") == 2
    (folder / "q_0.bc").symlink_to("k.ll")
    assert post_link("k.ll", "-o", "q.table") == 2
    assert (folder / "k.ll").read_text() == text


@pytest.mark.parametrize("second", ["t.table", "spir64,t.table", "t_0.bc"])
def test_nothing_is_written_twice(post_link: Run, folder: Path, second: str) -> None:
    (folder / "k.ll").write_text("define spir_kernel void @k() { ret void }\n")
    assert post_link("k.ll", "-o", "t.table", "-o", second) == 2
    assert [path.name for path in folder.iterdir()] == ["k.ll"]


def test_failure_changes_no_files(post_link: Run, folder: Path) -> None:
    (folder / "k.ll").write_text("define spir_kernel void @k() { ret void }\n")
    assert post_link("-properties", "k.ll", "-o", "t.table") == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert post_link("-properties", "k.ll", "-o", "t.table", "-o", "spir64,no/u.table") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_misspelt_option_is_not_a_file(post_link: Run, capsys: Capture) -> None:
    assert post_link("k.ll", "-outdir=o") == 2
    assert "did you mean 'out-dir'?" in capsys.readouterr().err


def test_empty_input(post_link: Run, folder: Path, capsys: Capture) -> None:
    (folder / "empty.bc").write_bytes(b"")
    assert post_link("empty.bc") == 1
    assert "'empty.bc' is empty" in capsys.readouterr().err


def test_shared_metadata_is_not_expanded(post_link: Run, folder: Path, capsys: Capture) -> None:
    nodes = "".join(f"!{n} = !{{!{n + 1}, !{n + 1}}}\n" for n in range(30))
    (folder / "k.ll").write_text(
        f"define spir_kernel void @k() !sycl_used_aspects !0 {{ ret void }}\n"
        f"{nodes}!30 = !{{i32 1}}\n"
    )
    assert post_link("k.ll") == 1
    assert "too many operands" in capsys.readouterr().err


def test_internal_kernels(post_link: Run, folder: Path, capsys: Capture) -> None:
    """An internal kernel is an entry point; a copy for inlining is not."""
    (folder / "a.ll").write_text("define internal spir_kernel void @k() { ret void }\n")
    (folder / "b.ll").write_text(
        "define internal spir_kernel void @l() { ret void }\n"
        "define available_externally spir_kernel void @m() { ret void }\n"
    )
    assert post_link("-split=kernel", "-symbols", "a.ll", "b.ll", "-o", "t.table") == 0
    assert [path.read_text() for path in sorted(folder.glob("*.sym"))] == ["k\n", "l\n"]
    (folder / "c.ll").write_text("define void @k() { ret void }\n")
    assert post_link("a.ll", "c.ll") == 1
    assert "'k' is also defined in 'a.ll'" in capsys.readouterr().err
