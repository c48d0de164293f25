"""What the header tests share: a compiler for device and host, and the text of what it made."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

INCLUDE = Path(__file__).parents[3] / "include"

DEVICE = ("-fsycl", "-fsycl-device-only")
HOST = ("-fsycl", "-fsycl-host-only")
PLAIN: tuple[str, ...] = ()

# Without the front-end's plugin the compiler does not know the toolchain's own attributes.
STRICT = ("-Wall", "-Wextra", "-Werror", "-Wno-unknown-attributes")

# What the host's classes take from the standard library, and what makes most of their cost.
STANDARD = """
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>
"""
SIDES = {"device": (*DEVICE, "-std=c++17"), "host": (*HOST, "-std=c++20")}

Compile = Callable[..., str]


def run(command: Sequence[str], text: str | None = None) -> str:
    """Standard output of a command that must succeed; its messages are the failure's reason."""
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stderr}"
    return result.stdout


@pytest.fixture
def include() -> Path:
    """The folder with the headers."""
    return INCLUDE


@pytest.fixture(params=[DEVICE, HOST, PLAIN], ids=["device", "host", "plain"])
def side(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The compiler options for each kind of compilation."""
    param: tuple[str, ...] = request.param
    return param


@pytest.fixture
def check() -> Callable[..., None]:
    """Accepts a source without any warning, or fails."""

    def check_source(source: str, *options: str) -> None:
        command = ["clang++-22", "-x", "c++", "-", "-fsyntax-only", f"-I{INCLUDE}"]
        run([*command, *STRICT, *options], source)

    return check_source


def precompiled(text: str, side: str, folder: Path) -> tuple[str, ...]:
    """Return the compiler for a side, with a text precompiled that comes before every source."""
    compiler = ("clang++-22", "-x", "c++", *SIDES[side], f"-I{INCLUDE}")
    header = str(folder / f"{side}.pch")
    # Templates that the text itself uses are instantiated once, not by every user.
    emit = ("-fpch-instantiate-templates", "-Xclang", "-emit-pch", "-o", header)
    run([*compiler, *emit, "-c", "-"], text)
    return (*compiler, "-Xclang", "-include-pch", "-Xclang", header)


@pytest.fixture(scope="session")
def standard(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, ...]]:
    """For each side, the compiler with the standard library precompiled."""
    folder = tmp_path_factory.mktemp("standard")
    return {side: precompiled(STANDARD, side, folder) for side in SIDES}


@pytest.fixture(scope="session")
def sycl_host(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The host's compiler with our headers precompiled."""
    return precompiled("#include <sycl/sycl.hpp>\n", "host", tmp_path_factory.mktemp("sycl"))


@pytest.fixture
def check_with_standard(standard: dict[str, tuple[str, ...]]) -> Callable[..., None]:
    """As `check`, on one side, with the standard library precompiled."""

    def check_source(source: str, side: str) -> None:
        run([*standard[side], "-", "-fsyntax-only", *STRICT], source)

    return check_source


@pytest.fixture
def errors(sycl_host: tuple[str, ...]) -> Compile:
    """What the host's compiler says to a source that it must refuse."""

    def compile_source(source: str) -> str:
        command = [*sycl_host, "-", "-fsyntax-only"]
        result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
        assert result.returncode == 1
        return result.stderr

    return compile_source


@pytest.fixture
def preprocess() -> Compile:
    """The source after the preprocessor, without line markers."""

    def preprocess_source(source: str, *options: str) -> str:
        return run(["clang++-22", "-x", "c++", "-", "-E", "-P", f"-I{INCLUDE}", *options], source)

    return preprocess_source


@pytest.fixture
def device_ir() -> Compile:
    """The optimized LLVM IR of a source compiled for the device."""

    def compile_source(source: str, *options: str) -> str:
        command = ["clang++-22", "-x", "c++", "-", *DEVICE, "-std=c++17", "-O2", f"-I{INCLUDE}"]
        return run([*command, *STRICT, "-S", "-emit-llvm", "-o", "-", *options], source)

    return compile_source


@pytest.fixture
def spirv(device_ir: Compile, tmp_path: Path) -> Compile:
    """The disassembled SPIR-V of a source; it has passed the validator."""

    def compile_source(source: str) -> str:
        binary = tmp_path / "module.spv"
        emit = ["llc-22", "-O2", "-mtriple=spirv64-unknown-unknown", "-filetype=obj"]
        run([*emit, "-", "-o", str(binary)], device_ir(source))
        run(["spirv-val", str(binary)])
        return run(["spirv-dis", str(binary)])

    return compile_source
