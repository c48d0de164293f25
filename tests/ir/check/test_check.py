"""`dovetail check`, from sources to its report."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dovetail.cli.main import main

EXAMPLE = Path(__file__).parents[3] / "examples/check"
DATA = Path(__file__).parent / "data"
TARGETS = "intel_gpu_pvc,intel_gpu_acm_g10"

Check = Callable[..., int]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks texts, by file name, in a folder of their own."""
    monkeypatch.chdir(tmp_path)

    def run(texts: dict[str, str], *words: str) -> int:
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        return main(["check", *words, *(name for name in texts if name.endswith(".cpp"))])

    return run


def example(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.chdir(EXAMPLE)
    return main(["check", *words, "main.cpp", "forces.cpp"])


# Without headers, so that a test takes no longer than clang's start.
EXTERNAL = "#define SYCL_EXTERNAL [[clang::sycl_external]]\n"
ASPECTS = "namespace sycl { enum class aspect { fp16 = 5, fp64 = 6 }; }\n"
KERNEL = (
    "template <typename Name, typename F>\n"
    "[[clang::sycl_kernel_entry_point(Name)]] void start(F f) { f(); }\n"
    "struct K;\n"
)


def test_the_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert example(monkeypatch, "--targets", TARGETS) == 1
    captured = capsys.readouterr()
    assert captured.out == (DATA / "report.txt").read_text()
    assert captured.err == (DATA / "messages.txt").read_text()


def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert example(monkeypatch, f"--targets={TARGETS}", "--json") == 1
    document = json.loads(capsys.readouterr().out)
    attract, move = document["kernels"][:2]
    assert attract["name"] == "Attract"
    assert (attract["file"], attract["line"]) == ("main.cpp", 26)
    assert attract["aspects"][1] == {
        "aspect": "fp64",
        "what": "implicit conversion to 'double'",
        "file": "forces.cpp",
        "line": 6,
        "column": 48,
        "chain": [
            {"function": "attraction", "file": "main.cpp", "line": 26, "condition": None},
            {"function": "softened", "file": "forces.cpp", "line": 9, "condition": None},
        ],
    }
    assert attract["fits"] == {
        "intel_gpu_pvc": {"verdict": "yes", "missing": [], "unknown": [], "assumed_missing": []},
        "intel_gpu_acm_g10": {
            "verdict": "no",
            "missing": ["fp64"],
            "unknown": [],
            "assumed_missing": [],
        },
    }
    assert (attract["reqd_sub_group_size"], attract["reqd_work_group_size"]) == (None, None)
    assert move["reqd_sub_group_size"] == 16
    (finding,) = document["findings"]
    assert (finding["rule"], finding["level"]) == ("sycl-undeclared-aspect", "warning")
    assert (finding["file"], finding["line"], finding["column"]) == ("forces.cpp", 8, 7)
    assert [note["line"] for note in finding["notes"]] == [13, 9, 6]


def test_sarif(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "out.sarif"
    assert example(monkeypatch, "--targets", TARGETS, f"--sarif={file}", "--require-fit") == 1
    assert "does not fit: lacks fp64" in capsys.readouterr().out
    run = valid_run(json.loads(file.read_text()))
    warning, attract, move = run["results"]
    assert [result["level"] for result in run["results"]] == ["warning", "error", "error"]
    assert {result["ruleId"] for result in (attract, move)} == {"sycl-kernel-does-not-fit"}
    (location,) = warning["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "forces.cpp", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 8, "startColumn": 7},
    }
    steps = warning["codeFlows"][0]["threadFlows"][0]["locations"]
    regions = [step["location"]["physicalLocation"]["region"] for step in steps]
    assert [region["startLine"] for region in regions] == [8, 9, 6]
    rule = run["tool"]["driver"]["rules"][warning["ruleIndex"]]
    assert rule["id"] == warning["ruleId"]


def valid_run(log: dict[str, Any]) -> dict[str, Any]:
    """The only run of a log that keeps to SARIF's schema, as OASIS publishes it."""
    schema = json.loads((DATA / "sarif-schema-2.1.0.json").read_text())
    validator: Any = jsonschema.Draft7Validator(schema)
    validator.validate(log)
    (run,) = log["runs"]
    return run


def test_sarif_of_sources_that_do_not_compile(
    check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "a b.cpp": f"{EXTERNAL}SYCL_EXTERNAL void f() {{ /* äö𝄞 */ undefined(); }}\n",
        "good.cpp": f"{EXTERNAL}SYCL_EXTERNAL void g() {{ throw 1; }}\n",
    }
    assert check(texts, "--sarif") == 1
    captured = capsys.readouterr()
    assert "a b.cpp:2:41: error: use of undeclared identifier 'undefined'" in captured.err
    run = valid_run(json.loads(captured.out))
    assert run["invocations"] == [{"executionSuccessful": False}]
    refused, thrown = run["results"]
    assert (refused["ruleId"], thrown["ruleId"]) == ("does-not-compile", "sycl-throw")
    place = refused["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.cpp"
    # Clang counts eight bytes for three characters, of which UTF-16 makes four units.
    assert place["region"] == {"startLine": 2, "startColumn": 37}


def test_a_file_outside_is_named_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "a.cpp").write_text(f"{EXTERNAL}SYCL_EXTERNAL void g() {{ throw 1; }}\n")
    monkeypatch.chdir(EXAMPLE)
    assert main(["check", "--sarif", str(tmp_path / "a.cpp")]) == 1
    (result,) = valid_run(json.loads(capsys.readouterr().out))["results"]
    artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": (tmp_path / "a.cpp").as_uri()}


def test_nothing_is_wrong(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = f"{KERNEL}void host() {{ start<K>([] {{ float x = 1.0; }}); }}\n"
    assert check({"a.cpp": kernel}, "--targets", "intel_gpu_acm_g10,spir64") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines()[-5:] == [
        "  fp64  a.cpp:4:39  literal of type 'double'",
        "  intel_gpu_acm_g10  does not fit: lacks fp64",
        "  spir64             may fit: unknown: fp64",
        "",
        "1 kernel in 1 file, 1 does not fit every target (--require-fit makes this an error)",
    ]


BROKEN = f"{EXTERNAL}{ASPECTS}[[sycl::device_has()]] SYCL_EXTERNAL void f() {{ float x = 1.0; }}\n"
HEAD = "function 'f' uses aspect 'fp64', which its attribute 'device_has' does not list"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 1, f"warning: {HEAD} [-Wsycl-undeclared-aspect]"),
        (["-Wno-sycl-undeclared-aspect"], 0, ""),
        (
            ["-Werror=sycl-undeclared-aspect"],
            1,
            f"error: {HEAD} [-Werror,-Wsycl-undeclared-aspect]",
        ),
        (["-Werror"], 1, f"error: {HEAD} [-Werror,-Wsycl-undeclared-aspect]"),
    ],
)
def test_warning_options(
    check: Check,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    status: int,
    message: str,
) -> None:
    assert check({"a.cpp": BROKEN}, *words) == status
    assert capsys.readouterr().err.partition("\n")[0].partition(": ")[2] == message


def test_the_other_sources_are_checked_when_one_does_not_compile(
    check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check({"a.cpp": "undefined;\n", "b.cpp": BROKEN}, "--json") == 1
    captured = capsys.readouterr()
    rules = [finding["rule"] for finding in json.loads(captured.out)["findings"]]
    assert rules == ["does-not-compile", "sycl-undeclared-aspect"]
    assert captured.err.index("a.cpp:1:1: error:") < captured.err.index("b.cpp:3:")


def test_recursion_and_declarations_across_sources(
    check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {
        "a.cpp": f"{EXTERNAL}SYCL_EXTERNAL void g();\nSYCL_EXTERNAL void f() {{ g(); }}\n",
        "b.cpp": f"{EXTERNAL}{ASPECTS}SYCL_EXTERNAL void f();\n"
        "[[sycl::device_has(sycl::aspect::fp64)]] SYCL_EXTERNAL void g() { f(); }\n",
    }
    assert check(texts) == 1
    heads = [line for line in capsys.readouterr().err.splitlines() if "|" not in line]
    assert heads == [
        "a.cpp:2:20: warning: 'g' is declared with no attribute here but defined with"
        " device_has(fp64) [-Wsycl-mismatched-aspects]",
        "b.cpp:4:3: note: defined here",
        "a.cpp:3:20: error: function 'f' calls itself through 'g'; recursion is not"
        " allowed in device code",
        "a.cpp:3:26: note: 'f' calls 'g' here",
        "b.cpp:4:67: note: 'g' calls 'f' here",
    ]


def test_a_device_configuration_file(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = f"{KERNEL}void host() {{ start<K>([] {{ float x = 1.0; }}); }}\n"
    entry = "mine:\n  aspects: [gpu]\n  may_support_other_aspects: false\n  sub-group-sizes: [8]\n"
    words = ("--device-config-file", "mine.yaml", "--targets", "mine", "--require-fit")
    assert check({"a.cpp": kernel, "mine.yaml": entry}, *words) == 1
    error = capsys.readouterr().err.splitlines()
    assert error[0] == (
        "a.cpp:4:24: error: kernel 'K' does not fit target 'mine', which lacks fp64"
    )
    assert error[3] == "a.cpp:4:39: note: uses aspect 'fp64' here: literal of type 'double'"


def test_an_aspect_that_no_table_lists(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    """It is missing where the list of aspects is complete, as in a build, and else unknown."""
    declared = (
        f"{ASPECTS}{EXTERNAL}SYCL_EXTERNAL [[sycl::device_has(sycl::aspect(4000))]] void f();"
    )
    kernel = f"{declared}\n{KERNEL}void host() {{ start<K>([] {{ f(); }}); }}\n"
    entries = (
        "complete: {aspects: [gpu]}\nopen: {aspects: [gpu], may_support_other_aspects: true}\n"
    )
    words = ("--device-config-file", "mine.yaml", "--targets", "complete,open", "--require-fit")
    assert check({"a.cpp": kernel, "mine.yaml": entries}, *words, "--json") == 1
    captured = capsys.readouterr()
    (described,) = json.loads(captured.out)["kernels"]
    lacking, unknown = described["fits"]["complete"], described["fits"]["open"]
    assert (lacking["verdict"], lacking["missing"]) == ("no", ["aspect 4000"])
    assert (unknown["verdict"], unknown["unknown"]) == ("may", ["aspect 4000"])
    assert "kernel 'K' does not fit target 'complete', which lacks aspect 4000" in captured.err
    assert "note: uses aspect '4000' here" in captured.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--json", "--sarif"], "'--json' and '--sarif' cannot be combined"),
        (["--require-fit"], "'--require-fit' needs targets"),
        (["--targets", "intel_gpu_pcv"], "unknown target 'intel_gpu_pcv'"),
        (["--target", "x"], "unknown option '--target'"),
        (["-o", "x"], "unknown option '-o'"),
    ],
)
def test_wrong_use(
    check: Check, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert check({"a.cpp": ""}, *words) == 2
    assert message in capsys.readouterr().err


def test_the_plan_has_no_code_in_it(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"a.cpp": "", "b.cpp": ""}, "-###") == 0
    folder, *commands, last = capsys.readouterr().err.splitlines()
    assert folder.startswith("mkdir")
    assert all("-fsyntax-only" in command and ".bc" not in command for command in commands)
    assert last == "# in process: analyze a.cpp b.cpp"


def test_as_a_process(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(BROKEN)
    command = [sys.executable, "-m", "dovetail", "check", "a.cpp"]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert finished.stdout == "0 kernels in 1 file, 1 warning\n"
    assert "\x1b" not in finished.stderr


def test_kernels_of_equal_names_in_two_sources(
    check: Check, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "template <typename Name, typename F>\n"
        "[[clang::sycl_kernel_entry_point(Name)]] void entry(F f) { f(); }\n"
        "template <typename F> void start(F f) { entry<F>(f); }\n"
        "static void run() { start([] { float x = VALUE; }); }\n"
        "void NAME() { run(); }\n"
    )
    texts = {
        "a.cpp": text.replace("VALUE", "1.0").replace("NAME", "a"),
        "b.cpp": text.replace("VALUE", "1").replace("NAME", "b"),
    }
    assert check(texts, "--json") == 0
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    assert [kernel["file"] for kernel in kernels] == ["a.cpp", "b.cpp"]
    assert [len(kernel["aspects"]) for kernel in kernels] == [1, 0]


def test_a_source_is_not_written_over(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"a.cpp": "int x;\n"}, "--sarif=a.cpp") == 2
    assert "'--sarif' would overwrite the input 'a.cpp'" in capsys.readouterr().err


def test_a_misspelt_warning(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    assert check({"a.cpp": "int x;\n"}, "-Wno-sycl-undeclared-aspcet") == 2
    assert "did you mean 'sycl-undeclared-aspect'?" in capsys.readouterr().err


def test_a_name_that_looks_like_an_option(check: Check) -> None:
    assert check({"-x.cpp": "int x;\n"}, "--") == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams(tmp_path: Path, closed: str) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("int x;\n")
    command = f"{sys.executable} -m dovetail check {source} {closed}"
    finished = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert finished.returncode == 0
    assert "Traceback" not in finished.stdout + finished.stderr


CONDITIONAL = """\
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>
#include <sycl/ext/oneapi/experimental/device_if.hpp>
#include <sycl/sycl.hpp>
using namespace sycl::ext::oneapi::experimental;
static float twice(float x) { return x * 2.0; }
SYCL_EXTERNAL [[sycl::device_has()]] void promise(float *p) {
  if_device_has<sycl::aspect::fp64>([=] { *p = twice(*p); });
  if_device_has<sycl::aspect::gpu>([=] { *p = twice(*p); });
}
void host(sycl::queue q, float *p) {
  q.single_task<class K>([=] {
    if_device_has<sycl::aspect::fp64>([=] { *p = twice(*p); }).otherwise([=] {
      if_architecture_is<architecture::intel_gpu_acm_g10>([=] { return twice(*p); });
    });
  });
}
"""


def test_conditional_uses(check: Check, capsys: pytest.CaptureFixture[str]) -> None:
    targets = "intel_gpu_pvc,intel_gpu_acm_g10,spir64"
    assert check({"a.cpp": CONDITIONAL}, "--targets", targets) == 1
    captured = capsys.readouterr()
    action, inner = "'host(sycl::queue, float *)::(lambda)::operator()", "()::(lambda)::operator()"
    assert captured.out.splitlines() == [
        "kernel 'K'  a.cpp:11",
        "  if intel_gpu_acm_g10 and not fp64:",
        "    fp64  a.cpp:5:38  implicit conversion to 'double'",
        f"            'K' calls {action}{inner}' at a.cpp:12:64, if not fp64",
        f"            {action}{inner}' calls {action}{inner}{inner}' at a.cpp:13:7,"
        " if intel_gpu_acm_g10",
        f"            {action}{inner}{inner}' calls 'twice' at a.cpp:13:72",
        "  if fp64:",
        "    fp64  a.cpp:5:38  implicit conversion to 'double'",
        f"            'K' calls {action}{inner}' at a.cpp:12:5, if fp64",
        f"            {action}{inner}' calls 'twice' at a.cpp:12:50",
        "  intel_gpu_pvc      fits",
        "  intel_gpu_acm_g10  does not fit: lacks fp64",
        "  spir64             fits, assuming a device without fp64",
        "",
        "1 kernel in 1 file, 1 does not fit every target (--require-fit makes this an error),"
        " 1 warning",
    ]
    heads = [line for line in captured.err.splitlines() if "|" not in line]
    assert heads == [
        "a.cpp:6:43: warning: function 'promise' uses aspect 'fp64' (if gpu), which its attribute"
        " 'device_has' does not list [-Wsycl-undeclared-aspect]",
        "a.cpp:6:17: note: attribute is here",
        "a.cpp:8:3: note: 'promise' calls 'promise(float *)::(lambda)::operator()' here, if gpu",
        "a.cpp:8:47: note: 'promise(float *)::(lambda)::operator()' calls 'twice' here",
        "a.cpp:5:38: note: uses aspect 'fp64' here: implicit conversion to 'double'",
    ]


def test_conditional_uses_as_json_and_sarif(
    check: Check, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--targets", "intel_gpu_acm_g10,spir64", "--json", "--sarif=log.sarif")
    assert check({"a.cpp": CONDITIONAL}, *words) == 1
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["aspects"] == []
    uses = [(use["condition"], use["aspect"]) for use in kernel["conditional_aspects"]]
    assert uses == [("intel_gpu_acm_g10 and not fp64", "fp64"), ("fp64", "fp64")]
    chain = kernel["conditional_aspects"][1]["chain"]
    assert [(step["line"], step["condition"]) for step in chain] == [(12, "fp64"), (12, None)]
    assert kernel["fits"]["spir64"]["assumed_missing"] == ["fp64"]
    (run,) = json.loads((tmp_path / "log.sarif").read_text())["runs"]
    misfit = run["results"][-1]
    assert misfit["ruleId"] == "sycl-kernel-does-not-fit"
    notes = [place["message"]["text"] for place in misfit["relatedLocations"]]
    assert [note.rpartition("here, ")[2] for note in notes[:2]] == [
        "if not fp64",
        "if intel_gpu_acm_g10",
    ]


@pytest.mark.parametrize(("target", "count"), [("intel_gpu_pvc", 0), ("intel_gpu_acm_g10", 1)])
def test_a_fixed_target_counts_conditions_that_hold_there(
    check: Check, capsys: pytest.CaptureFixture[str], target: str, count: int
) -> None:
    words = (f"-fsycl-fixed-targets={target}", "-Wno-sycl-undeclared-aspect")
    assert check({"a.cpp": CONDITIONAL}, *words) == count
    assert capsys.readouterr().err.count("[-Wsycl-fixed-targets]") == count
