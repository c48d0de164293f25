"""Each header compiles on its own, twice included, without a warning; none costs much."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[3] / "include"
HEADERS = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.hpp"))

# Those that the host sees with other eyes; that the rest compiles there shows when
# the sources beside this file include everything.
TWO_SIDED = [name for name in HEADERS if "__SYCL_DEVICE_ONLY__" in (INCLUDE / name).read_text()]

# Each of these takes at most a few hundredths of a second; every user pays for what is added here.
LIGHT = {"cstddef", "cstdint", "limits", "new", "type_traits"}


@pytest.mark.parametrize("header", HEADERS)
def test_header_stands_alone(check: Callable[..., None], header: str) -> None:
    check(f"#include <{header}>\n" * 2, "-fsycl", "-fsycl-device-only", "-std=c++17")


@pytest.mark.parametrize("header", TWO_SIDED)
def test_header_stands_alone_on_the_host(check: Callable[..., None], header: str) -> None:
    check(f"#include <{header}>\n" * 2, "-std=c++20")


def test_only_light_standard_headers(include: Path) -> None:
    sources = [path for path in include.rglob("*") if path.is_file()]
    names = {name for path in sources for name in _included(path) if not name.startswith("sycl/")}
    assert names <= LIGHT


def test_sycl_hpp_includes_every_public_header(include: Path) -> None:
    seen: set[str] = set()
    pending = ["sycl/sycl.hpp"]
    while pending:
        header = pending.pop()
        if header not in seen:
            seen.add(header)
            pending += [name for name in _included(include / header) if name.startswith("sycl/")]
    assert set(HEADERS) - seen == set()


def test_macros_do_not_leak(preprocess: Callable[..., str]) -> None:
    macros = preprocess("#include <sycl/sycl.hpp>\n", "-fsycl", "-fsycl-device-only", "-dM")
    ours = set(re.findall(r"#define (DOVETAIL_\w+)", macros))
    assert ours == {"DOVETAIL_MATH", "DOVETAIL_FAST_MATH", "DOVETAIL_QUESTION"}


def test_unused_headers_emit_nothing(device_ir: Callable[..., str]) -> None:
    module = device_ir("#include <sycl/sycl.hpp>\n")
    assert "define" not in module
    assert "declare" not in module


def _included(path: Path) -> list[str]:
    return re.findall(r"^#include <(.+)>", path.read_text(), re.MULTILINE)
