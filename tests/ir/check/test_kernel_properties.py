"""Properties of kernels mean what the attributes mean: same warnings, same report, same places."""

import json
from pathlib import Path
from typing import Any

import pytest

from dovetail.cli.main import main

PRELUDE = """\
#include <sycl/sycl.hpp>
namespace exp = sycl::ext::oneapi::experimental;
using sycl::aspect;
double half_of(double x) { return x / 2; }
#define PROPERTY SYCL_EXT_ONEAPI_FUNCTION_PROPERTY
"""
FIRST_LINE = PRELUDE.count("\n") + 1


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> "Check":
    """Checks a text behind the prelude."""
    monkeypatch.chdir(tmp_path)
    return Check(tmp_path / "k.cpp", capsys)


class Check:
    """What `dovetail check` says of a source."""

    def __init__(self, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._source, self._capsys = source, capsys

    def __call__(self, text: str) -> tuple[dict[str, Any], list[str]]:
        """Its kernels by name, and its messages; the prelude's lines are not counted."""
        self._source.write_text(PRELUDE + text)
        main(["check", self._source.name, "--json"])
        captured = self._capsys.readouterr()
        lines = [line for line in captured.err.splitlines() if line.startswith("k.cpp:")]
        kernels = json.loads(captured.out)["kernels"]
        return {kernel["name"]: kernel for kernel in kernels}, [_counted(line) for line in lines]


def _counted(message: str) -> str:
    _, line, rest = message.split(":", 2)
    return f"{int(line) - FIRST_LINE + 1}:{rest}"


START = "void f(sycl::queue q, float *p) {{ {} }}\n"

WAYS = {
    "given to the call": START.format(
        "q.single_task<class K>(exp::properties{exp::LIST}, [=] { *p = half_of(*p); });"
    ),
    "given to the handler's": START.format(
        "q.submit([&](sycl::handler &h) {"
        " h.parallel_for<class K>(8, exp::properties{exp::LIST}, [=](auto) { *p = half_of(*p); });"
        "});"
    ),
    "get": "struct K { float *p; auto get(exp::properties_tag) const {"
    " return exp::properties{exp::LIST}; } void operator()() const { *p = half_of(*p); } };\n"
    + START.format("q.single_task(K{p});"),
    "a member": "struct K { float *p;"
    " static constexpr auto properties = sycl::ext::oneapi::property_list{exp::LIST};"
    " void operator()(sycl::nd_item<1>) const { *p = half_of(*p); } };\n"
    + START.format("q.parallel_for(sycl::nd_range<1>(8, 8), K{p});"),
    "a plain function": "PROPERTY((exp::single_task_kernel)) PROPERTY((exp::LIST))"
    " void K(float *p) { *p = half_of(*p); }\n",
}


@pytest.mark.parametrize("text", WAYS.values(), ids=list(WAYS))
def test_an_aspect_that_the_property_does_not_list(check: Check, text: str) -> None:
    kernels, (warning, note) = check(text.replace("LIST", "device_has<aspect::fp16>"))
    assert warning.endswith(
        "warning: kernel 'K' uses aspect 'fp64', which its property 'device_has' does not list"
        " [-Wsycl-undeclared-aspect]"
    )
    assert "note: uses aspect 'fp64' here: call of 'half_of', which returns 'double'" in note
    # At the user's code, not in our headers.
    line = next(n for n, line in enumerate(text.split("\n"), 1) if "half_of(" in line)
    assert warning.startswith(f"{line}:")
    assert [use["aspect"] for use in kernels["K"]["aspects"]] == ["fp16", "fp64"]
    (listed,) = (use for use in kernels["K"]["aspects"] if use["aspect"] == "fp16")
    assert listed["what"] == "listed by property 'device_has'"
    assert listed["file"] == "k.cpp"


@pytest.mark.parametrize("text", WAYS.values(), ids=list(WAYS))
def test_sizes(check: Check, text: str) -> None:
    text = text.replace("LIST", "FIRST").replace("half_of", "")
    kernels, messages = check(text.replace("FIRST", "sub_group_size<16>"))
    assert kernels["K"]["reqd_sub_group_size"] == 16
    kernels, more = check(text.replace("FIRST", "work_group_size<4, 2>"))
    assert kernels["K"]["reqd_work_group_size"] == [4, 2]
    assert messages == more == []


def test_listed_aspects_are_not_reported(check: Check) -> None:
    text = WAYS["given to the call"].replace("LIST", "device_has<aspect::fp64>")
    assert check(text)[1] == []


def test_an_empty_list_allows_no_aspects(check: Check) -> None:
    assert "'fp64', which its property" in check(WAYS["get"].replace("LIST", "device_has<>"))[1][0]


FUNCTION = "PROPERTY((exp::single_task_kernel))\nPROPERTY((exp::{}))\n[[sycl::{}]] void K() {{}}\n"


@pytest.mark.parametrize(
    ("of_property", "of_attribute", "told"),
    [
        (
            "work_group_size<4>",
            "reqd_work_group_size(8)",
            "work-group size 4 by a property but 8 by",
        ),
        ("work_group_size<4>", "reqd_work_group_size(4, 1)", "size 4 by a property but 4x1 by"),
        (
            "sub_group_size<8>",
            "reqd_sub_group_size(16)",
            "sub-group size 8 by a property but 16 by",
        ),
        (
            "work_group_size_hint<2>",
            "work_group_size_hint(1)",
            "size hint 2 by a property but 1 by",
        ),
        ("device_has<aspect::fp16>", "device_has()", "aspects fp16 by a property but none by"),
        ("device_has<>", "device_has(aspect::fp64)", "aspects none by a property but fp64 by"),
    ],
)
def test_a_property_against_an_attribute(
    check: Check, of_property: str, of_attribute: str, told: str
) -> None:
    _, (message,) = check(FUNCTION.format(of_property, of_attribute))
    assert message.startswith("3:")
    assert "error: kernel 'K' requires " in message
    assert f"{told} an attribute" in message


OBJECT = """\
struct K {{
  [[sycl::{}]] void operator()() const {{}}
}};
void f(sycl::queue q) {{ q.single_task(exp::properties{{exp::{}}}, K()); }}
"""


@pytest.mark.parametrize(
    ("of_property", "of_attribute", "told"),
    [
        (
            "sub_group_size<8>",
            "reqd_sub_group_size(16)",
            "sub-group size 8, but the operator() of its",
        ),
        (
            "device_has<aspect::fp16>",
            "device_has(aspect::fp64)",
            "aspects fp16, but the operator() of",
        ),
    ],
)
def test_a_property_against_an_attribute_of_the_kernel_object(
    check: Check, of_property: str, of_attribute: str, told: str
) -> None:
    _, (message,) = check(OBJECT.format(of_attribute, of_property))
    assert message.startswith("2:")
    assert f"error: kernel 'K' requires {told}" in message


@pytest.mark.parametrize(
    ("of_property", "of_attribute"),
    [
        ("sub_group_size<8>", "reqd_sub_group_size(8)"),
        ("device_has<aspect::fp16, aspect::cpu>", "device_has(aspect::cpu, aspect::fp16)"),
        ("sub_group_size<8>", "reqd_work_group_size(4)"),
    ],
)
def test_equal_property_and_attribute_do_not_conflict(
    check: Check, of_property: str, of_attribute: str
) -> None:
    assert check(OBJECT.format(of_attribute, of_property))[1] == []
    assert check(FUNCTION.format(of_property, of_attribute))[1] == []


def test_a_size_of_a_function_that_is_not_a_kernel_draws_a_warning(check: Check) -> None:
    _, (message,) = check("PROPERTY((exp::sub_group_size<8>)) SYCL_EXTERNAL void g() {}\n")
    assert (
        "warning: function 'g' is not a kernel; its required sub-group size is ignored" in message
    )


def test_invalid_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        PRELUDE + 'struct mine { static constexpr const char *meta_name = "sycl-sub-group-size";\n'
        '  static constexpr const char *meta_value = "many"; };\n'
        "PROPERTY((exp::single_task_kernel)) PROPERTY((mine())) void K() {}\n"
    )
    assert main(["check", str(source)]) == 1
    told = "error: function 'K': property 'sycl-sub-group-size': expected a size, got 'many'"
    assert f"k.cpp:{FIRST_LINE + 2}:61: {told}" in capsys.readouterr().err


def test_a_property_that_says_nothing_about_the_ir_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "k.cpp"
    source.write_text(
        PRELUDE + "struct mine_key {};\n"
        "inline constexpr exp::property_value<mine_key> mine;\n"
        "void f(sycl::queue q) { q.single_task(exp::properties{mine}, [=] {}); }\n"
    )
    assert main(["check", str(source)]) == 1
    told = capsys.readouterr().err
    assert "this property does not say how it is written into the IR" in told
    assert "no member named" not in told
