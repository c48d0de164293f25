"""Output of kernels by printf."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parent / "sources" / "printf.cpp"
DOVETAIL = [sys.executable, "-m", "dovetail"]
ITEMS = Counter(f"item {item} of group {group}" for group in range(4) for item in range(16))

HEADER = "#include <sycl/sycl.hpp>\n#include <cstdio>\nint main() { sycl::queue q;\n"


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*DOVETAIL, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    "options",
    [("-O0", "-DPLAIN"), ("-O2", "-DPLAIN"), ("--as", "intel_gpu_acm_g10")],
    ids=["O0", "O2", "without double"],
)
def test_kernels_print_what_the_host_prints(options: tuple[str, ...]) -> None:
    expected = run("run", *options, SOURCE, "--", "host").stdout.splitlines()
    assert len(expected) == 16 if "-DPLAIN" in options else 12
    finished = run("run", *options, SOURCE)
    assert (finished.returncode, finished.stderr) == (0, "")
    lines = finished.stdout.splitlines()
    assert lines[: len(expected)] == expected
    assert Counter(lines[len(expected) :]) == ITEMS


def test_several_kernels_print(tmp_path: Path) -> None:
    source = tmp_path / "kernels.cpp"
    source.write_text(
        f"{HEADER}q.parallel_for(sycl::range<1>(3), [=](sycl::id<1> i) {{\n"
        '  std::printf("item %zu\\n", i[0]);\n'
        "}).wait();\n"
        "q.single_task([=] {\n"
        '  for (int i = 0; i < 2; ++i) std::printf("%x\\n", 255u);\n'
        "}).wait(); }\n"
    )
    program = tmp_path / "program"
    built = run("c++", "-fsycl", f"-save-temps={tmp_path}", source, "-o", program)
    assert (built.returncode, built.stderr) == (0, "")
    lines = subprocess.check_output([program], text=True, timeout=PATIENCE).splitlines()
    assert Counter(lines[:-2]) == Counter(f"item {item}" for item in range(3))
    assert lines[-2:] == ["ff", "ff"]
    # Drivers may not know the extension that the back-end asks for.
    codes = [each.read_bytes() for each in tmp_path.glob("*.spv")]
    assert codes
    assert not any(b"SPV_EXT_relaxed_printf" in code for code in codes)


def test_format_has_to_be_constant(tmp_path: Path) -> None:
    source = tmp_path / "format.cpp"
    source.write_text(
        f"{HEADER}const char *f = sycl::malloc_shared<char>(8, q);\n"
        "q.single_task([=] { sycl::ext::oneapi::experimental::printf(f, 1); }); }\n"
    )
    finished = run("c++", "-fsycl", source, "-o", tmp_path / "format")
    assert finished.returncode == 1
    assert "the format of a call of printf is not a constant" in finished.stderr
    assert f"{source}:5: note: kernel" in finished.stderr
    assert "pass a string literal or a constant array of characters" in finished.stderr


def test_nvidia(tmp_path: Path) -> None:
    options = ("-fsycl", "-fsycl-targets=nvidia_gpu_sm_90", "-DPLAIN", "-save-temps")
    command = [*DOVETAIL, "c++", *options, SOURCE, "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=PATIENCE)
    assert any("vprintf" in path.read_text() for path in tmp_path.glob("*.ptx"))


def test_amd_cannot_print(tmp_path: Path) -> None:
    options = ("c++", "-fsycl", "-fsycl-targets=amd_gpu_gfx90a", "-o", tmp_path / "program")
    warned = run(*options, SOURCE)
    assert warned.returncode == 0
    assert "warning: in kernels, printf prints nothing on AMD's GPUs" in warned.stderr
    source = tmp_path / "plain.cpp"
    source.write_text(f'{HEADER}q.single_task([=] {{ std::printf("plain"); }}); }}\n')
    refused = run(*options, source)
    assert refused.returncode == 1
    assert "calls variadic function 'printf', which is not allowed" in refused.stderr
    assert "dovetail: AMD's GPUs cannot print; use sycl::stream." in refused.stderr
