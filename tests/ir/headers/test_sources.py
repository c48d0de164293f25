"""The sources beside this file compile in every mode, and the portable one gives valid SPIR-V."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("standard", [pytest.param("c++17", marks=pytest.mark.thorough), "c++20"])
def test_portable_source_compiles(
    check: Callable[..., None], side: tuple[str, ...], standard: str
) -> None:
    check((HERE / "portable.cpp").read_text(), f"-std={standard}", *side)


@pytest.mark.parametrize("name", ["indices.cpp", "half.cpp", "functional.cpp"])
def test_assertions_hold(check: Callable[..., None], name: str) -> None:
    source = (HERE / name).read_text()
    check(source, "-fsycl", "-fsycl-device-only", "-std=c++17")
    check(source, "-std=c++20")


def test_portable_source_is_valid_spirv(spirv: Callable[..., str]) -> None:
    # The front-end's plugin makes a kernel of a function with the property; without it the
    # compiler has to be told to emit the function.
    macro = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY"
    source = (HERE / "portable.cpp").read_text().replace(macro, f"SYCL_EXTERNAL {macro}")
    module = spirv(source)
    assert "Import" in module  # elsewhere() and the local memory come later
    assert "OpControlBarrier" in module
