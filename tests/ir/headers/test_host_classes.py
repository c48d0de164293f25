"""The host's classes: spelled as the standard has them, laid out alike on both sides, and asking
of the runtime what they should.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from patience import PATIENCE

HERE = Path(__file__).parent / "host"
INCLUDE = Path(__file__).parents[3] / "include"
BEHAVIOUR = HERE / "behaviour.cpp"

# Both sides have to agree on these to the byte: kernel objects hold them.
PASSED_TO_KERNELS = [
    *(f"accessor<{t}, {n}>" for t in ("float", "const char") for n in range(4)),
    *(f"local_accessor<{t}, {n}>" for t in ("double", "char") for n in range(4)),
    *(f"{c}<{n}>" for c in ("id", "range", "nd_range") for n in range(1, 4)),
]


@pytest.mark.parametrize("side", ["device", "host"])
def test_portable_source_compiles(check_with_standard: Callable[..., None], side: str) -> None:
    check_with_standard((HERE / "portable.cpp").read_text(), side)


def test_portable_source_compiles_without_sycl(check: Callable[..., None]) -> None:
    check((HERE / "portable.cpp").read_text(), "-std=c++17")


def test_every_kernel_has_an_entry_point(device_ir: Callable[..., str]) -> None:
    source = (HERE / "portable.cpp").read_text()
    module = device_ir(source)
    launches = len(re.findall(r"\.(?:parallel_for|single_task)\b", source))
    symbols = re.findall(r"define spir_kernel void @(\w+)", module)
    assert len(symbols) == launches
    assert {"_ZTS5named", "_ZTS11named_afterIfE"} <= set(symbols)


def test_layout_is_the_same_on_both_sides(layouts: Callable[..., dict[str, str]]) -> None:
    lines = ["#include <sycl/sycl.hpp>"]
    lines += [f"static_assert(sizeof(sycl::{name}) != 0);" for name in PASSED_TO_KERNELS]
    source = "\n".join(lines)
    device = layouts(source, "-fsycl", "-fsycl-device-only")
    host = layouts(source, "-fsycl", "-fsycl-host-only")
    found = {name for name in host if re.search(r"(accessor|id|range)<", name)}
    assert len(found) >= len(PASSED_TO_KERNELS)
    assert {name: host[name] for name in found} == {name: device.get(name) for name in found}


def test_what_the_runtime_replaces_comes_first(layouts: Callable[..., dict[str, str]]) -> None:
    source = """
#include <sycl/sycl.hpp>
static_assert(sizeof(sycl::detail::buffer_memory<char>) == 8);
static_assert(sizeof(sycl::detail::dynamic_local_memory<char>) == 8);
static_assert(sizeof(sycl::accessor<char, 2>) == 72 && alignof(sycl::accessor<char, 2>) == 8);
static_assert(sizeof(sycl::local_accessor<char, 2>) == 24);
static_assert(std::is_trivially_copyable_v<sycl::accessor<char, 2>>);
static_assert(std::is_trivially_copyable_v<sycl::local_accessor<char, 2>>);
"""
    for mode in ("-fsycl-device-only", "-fsycl-host-only"):
        found = layouts(source, "-fsycl", mode)
        for name, layout in found.items():
            if re.match(r"class sycl::(local_)?accessor<", name):
                assert re.search(r"FieldOffsets: \[0, 64\b", layout)


@pytest.fixture
def layouts() -> Callable[..., dict[str, str]]:
    """Size and field offsets of each class that the compiler laid out."""

    def dump(source: str, *options: str) -> dict[str, str]:
        command = ["clang++-22", "-x", "c++", "-", "-fsyntax-only", "-std=c++17", f"-I{INCLUDE}"]
        command += [*options, "-Xclang", "-fdump-record-layouts-simple"]
        result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        blocks = re.findall(
            r"Type: ([^\n]+)\n+Layout: <ASTRecordLayout\n(.+?)>\n\n", result.stdout, re.S
        )
        return {name: " ".join(layout.split()) for name, layout in blocks}

    return dump


@pytest.fixture(scope="module")
def behaviour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the cases, against a runtime that only remembers."""
    program = tmp_path_factory.mktemp("host") / "behaviour"
    host = ["clang++-22", "-fsycl", "-fsycl-host-only", "-std=c++17", f"-I{INCLUDE}"]
    strict = ["-Wall", "-Wextra", "-Werror"]
    link = ["clang++-22", "-fuse-ld=lld", f"{program}.o", "-o", str(program)]
    for command in ([*host, *strict, "-c", str(BEHAVIOUR), "-o", f"{program}.o"], link):
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    return program


@pytest.mark.parametrize("case", re.findall(r"CASE\((\w+)\),", BEHAVIOUR.read_text()))
def test_behaviour(behaviour: Path, case: str) -> None:
    environment = {key: value for key, value in os.environ.items() if "DOVETAIL" not in key}
    result = subprocess.run(
        [behaviour, case],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=PATIENCE,
    )
    assert result.returncode == 0, result.stderr


# What a user who gets it wrong is told, at the place in the program.
MISTAKES = {
    "q.parallel_for(8, [=](sycl::id<2>) {});": "takes an item or an id of its dimensions",
    "q.parallel_for(sycl::nd_range<1>(8, 8), [=](int *) {});": "takes an nd_item of its dimensions",
    "q.single_task([p = std::unique_ptr<int>()] { (void)p; });": "a kernel is copied to the device",
    "(void)sycl::device().get_info<sycl::info::platform::name>();": "not a query that a device",
    "sycl::property_list list(3);": "no matching constructor",
}


# Kernels that take something else than their shape gives; p points to an int.
WRONG_PARAMETERS = [
    "q.parallel_for(8, [=](sycl::nd_item<1>) {});",
    "q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::item<1>) {});",
    "q.parallel_for(8, sycl::reduction(p, sycl::plus<>()), [=](sycl::nd_item<1>, auto &) {});",
    "q.parallel_for(sycl::nd_range<1>(8, 8), sycl::reduction(p, sycl::plus<>()),"
    " [=](sycl::item<1>, auto &) {});",
    "q.submit([&](sycl::handler &h) {"
    " h.parallel_for_work_group(sycl::range<1>(8), [=](sycl::item<1>) {}); });",
]


def test_wrong_parameters_of_kernels_are_one_error_each(errors: Callable[..., str]) -> None:
    body = "".join(WRONG_PARAMETERS)
    text = errors(f"#include <sycl/sycl.hpp>\nvoid f(sycl::queue q, int *p) {{ {body} }}\n")
    wrong = [line for line in text.splitlines() if " error: " in line]
    assert len(wrong) == len(WRONG_PARAMETERS)
    assert all("a kernel over " in line for line in wrong)


@pytest.mark.parametrize(("statement", "message"), MISTAKES.items())
def test_mistakes_are_explained(errors: Callable[..., str], statement: str, message: str) -> None:
    source = f"#include <sycl/sycl.hpp>\nvoid f(sycl::queue q) {{ (void)q; {statement} }}\n"
    assert message in errors(source)
