"""Errors for undefined functions name the kernel and the user's line."""

from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.compilers import math_libraries

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
HEAD = "#include <sycl/sycl.hpp>\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        return None

    monkeypatch.setattr(math_libraries, "_first", none)


def refused(text: str, target: str, capsys: Capture) -> str:
    Path("k.cpp").write_text(HEAD + text)
    words = ["-fsycl", "-fsyclbin", f"-fsycl-targets={target}", "k.cpp", "-o", "k.syclbin"]
    assert main(["c++", *words]) == 1
    assert not Path("k.syclbin").exists()
    return capsys.readouterr().err


DEEP = f"""\
template <class T> T deeper(T x) {{
  return sycl::erf(x);
}}
{TASK} void wave(double *p) {{ *p = deeper(*p); }}
"""


@pytest.mark.parametrize(
    ("target", "package"),
    [("nvidia_gpu_sm_90", "nvidia-cuda-nvcc-cu12"), ("amd_gpu_gfx90a", "rocm-device-libs")],
)
def test_functions_of_a_missing_library(
    capsys: Capture, no_libraries: None, target: str, package: str
) -> None:
    printed = refused(DEEP, target, capsys)
    assert "k.cpp:3:10: kernel 'wave' calls 'erf(double)'" in printed
    assert "needs a library that is not installed" in printed
    assert package in printed
    assert f"'{target}'" in printed


def test_all_undefined_functions_are_reported(capsys: Capture, no_libraries: None) -> None:
    text = f"{TASK} void k(float *p, double *q) {{\n  *p = sycl::exp(*p) + sycl::sin(*p);\n"
    text += "  *q = sycl::exp(*q);\n}\n"
    printed = refused(text, "amd_gpu_gfx90a", capsys)
    assert "k.cpp:3:24: kernel 'k' calls 'sin(float)'" in printed
    assert "k.cpp:4:8: kernel 'k' calls 'exp(double)'" in printed
    # LLVM implements it for float.
    assert "exp(float)" not in printed


@pytest.mark.parametrize("target", ["nvidia_gpu_sm_90", "amd_gpu_gfx90a"])
def test_functions_of_other_programs(capsys: Capture, target: str) -> None:
    text = f"SYCL_EXTERNAL int far(int);\n{TASK} void k(int *p) {{\n  *p = far(*p);\n}}\n"
    printed = refused(text, target, capsys)
    assert "k.cpp:4:8: kernel 'k' calls 'far(int)', which no source defines" in printed


@pytest.mark.parametrize("target", ["nvidia_gpu_sm_90", "amd_gpu_gfx90a"])
def test_device_functions_without_code(capsys: Capture, target: str) -> None:
    text = f"SYCL_EXTERNAL int __spirv_Nothing(int);\n{TASK} void k(int *p) {{\n"
    text += "  *p = __spirv_Nothing(*p);\n}\n"
    printed = refused(text, target, capsys)
    assert "k.cpp:3: kernel 'k' calls '__spirv_Nothing(int)', which is not available on" in printed
