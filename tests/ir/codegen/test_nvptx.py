"""PTX and cubins for NVIDIA's GPUs."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.codegen import BuildTarget, nvptx
from dovetail.codegen.nvptx import generator
from dovetail.codegen.nvptx.architecture import Architecture
from dovetail.compilers import ptxas
from dovetail.errors import ToolMissing, UsageError
from dovetail.image import AbstractModule, IRType, read_program
from dovetail.targets import Target, default_table

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
KERNELS = f"""
#include <sycl/sycl.hpp>
struct Pair {{ double a; float b; }};
{TASK} void plain(Pair s, float c, double *p) {{ *p = sycl::sin(s.a + s.b) * c; }}
{TASK} void halves(sycl::half *p) {{ *p = sycl::exp(*p); }}
void start(sycl::queue &queue, int *p) {{
  queue.parallel_for<class sized>(
      sycl::nd_range<2>({{8, 8}}, {{2, 8}}),
      [=](sycl::nd_item<2>) [[sycl::reqd_work_group_size(2, 8)]] {{ *p = 1; }});
}}
"""


def images(text: str, targets: Sequence[str], **options: object) -> dict[str, AbstractModule]:
    """Return the images of a build, by the name of their first kernel."""
    program = read_program(dovetail.build(text, targets=targets, **options).to_bytes())  # pyright: ignore[reportArgumentType]
    return {image.info.kernels[0].name: image for image in program.abstract_modules}


def ptx_of(image: AbstractModule, number: int = 0) -> str:
    module = image.ir_modules[number]
    assert module.ir_type is IRType.PTX
    assert module.target == "nvptx64-nvidia-cuda"
    return bytes(module.code).decode()


def readelf(code: bytes, *options: str) -> str:
    command = ["llvm-readelf-22", *options, "-"]
    return subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()


@pytest.mark.parametrize("size", ["2048", "4294967295", "65536, 65536, 3", "4294967296"])
@pytest.mark.parametrize("target", ["nvidia_gpu_sm_90", "amd_gpu_gfx1100"])
def test_sizes_that_exceed_every_gpu(size: str, target: str) -> None:
    text = KERNELS.replace("(2, 8)]]", f"({size})]]")
    image = images(text, [target])["sized"]
    assert image.info.requirements.work_group_size == tuple(map(int, size.split(", ")))
    if target == "nvidia_gpu_sm_90":
        assert ".reqntid" not in ptx_of(image)


def test_cubins_have_the_architecture_and_the_kernels() -> None:
    for kernel, image in images(KERNELS, ["nvidia_gpu_sm_80", "nvidia_gpu_sm_90"]).items():
        symbol = image.info.kernels[0].symbol
        assert [native.arch for native in image.native_images] == [
            "nvidia_gpu_sm_80",
            "nvidia_gpu_sm_90",
        ]
        for native, architecture in zip(image.native_images, ("sm_80", "sm_90"), strict=True):
            assert native.target == "nvptx64-nvidia-cuda"
            assert native.origin
            assert native.origin.compiler.startswith("ptxas ")
            printed = readelf(bytes(native.code), "-h", "-s")
            assert "NVIDIA CUDA architecture" in printed
            assert f", {architecture}" in printed
            assert re.search(rf"FUNC +GLOBAL .* {re.escape(symbol)}$", printed, re.MULTILINE), (
                kernel
            )


def test_ptx_has_the_oldest_possible_version() -> None:
    targets = {"sm_53": "6.3", "sm_75": "6.3", "sm_80": "7.0", "sm_90": "7.8", "sm_90a": "8.0"}
    image = images(KERNELS, [f"nvidia_gpu_{name}" for name in targets])["halves"]
    for number, (name, version) in enumerate(targets.items()):
        text = ptx_of(image, number)
        assert f".version {version}\n.target {name}\n" in text
        # All called functions are included, with internal linkage.
        assert ".extern" not in text
        assert ".visible .func" not in text


def test_ptx_is_stored_for_later_architectures() -> None:
    image = images(KERNELS, ["nvidia_gpu_sm_89", "nvidia_gpu_sm_90a"])["halves"]
    for_any, specific = image.ir_modules
    assert for_any.targets == ("nvidia_gpu_sm_89", "nvidia_gpu_sm_90", "nvidia_gpu_sm_90a")
    assert specific.targets == ("nvidia_gpu_sm_90a",)


def test_required_sizes_are_in_the_code() -> None:
    made = images(KERNELS, ["nvidia_gpu_sm_90"])
    # The fastest dimension comes first.
    assert ".reqntid 8, 2, 1" in ptx_of(made["sized"])
    assert ".reqntid" not in ptx_of(made["plain"])


def test_debug_information_does_not_disable_optimisation(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(KERNELS)
    made = tmp_path / "k.syclbin"
    words = ["-fsycl", "-fsyclbin", "-fsycl-targets=nvidia_gpu_sm_90", f"{tmp_path}/k.cpp"]
    assert main(["c++", *words, "-g", "-o", str(made)]) == 0
    for image in read_program(made.read_bytes()).abstract_modules:
        text = ptx_of(image)
        assert ".target sm_90\n" in text
        if image.info.kernels[0].name == "sized":
            assert ".loc" in text


def test_user_options_are_passed_to_ptxas(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "k.cpp").write_text(KERNELS)
    words = ["-fsycl", "-fsyclbin", f"{tmp_path}/k.cpp", "-o", str(tmp_path / "k.syclbin")]
    words.append("-fsycl-targets=nvidia_gpu_sm_90")
    assert main(["c++", *words, "-Xs", "--maxrregcount=32"]) == 0
    assert "warning" not in capsys.readouterr().err
    assert main(["c++", *words, "-Xs", "--no-such-word"]) == 1
    printed = capsys.readouterr().err
    assert "Unknown option '-no-such-word'" in printed
    assert "'nvidia_gpu_sm_90'" in printed
    assert "'halves'" in printed


def test_the_newest_release_that_supports_an_architecture_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    releases = (
        ptxas.Ptxas("/new/ptxas", "13.0.1", "9.0", frozenset({"sm_75", "sm_90"})),
        ptxas.Ptxas("/old/ptxas", "12.9.1", "8.8", frozenset({"sm_53", "sm_75"})),
    )
    monkeypatch.setattr(generator, "find_ptxas", lambda: releases)
    monkeypatch.setattr(generator, "libdevice_path", lambda: None)
    made = nvptx.NvptxGenerator()

    def taken(name: str) -> str:
        return made.key_parts(BuildTarget(default_table()[name]))[0]

    assert "/new/ptxas" in taken("nvidia_gpu_sm_75")
    assert "/new/ptxas" in taken("nvidia_gpu_sm_90")
    assert "/old/ptxas" in taken("nvidia_gpu_sm_53")
    with pytest.raises(UsageError, match="'sm_80'") as caught:
        made.check(BuildTarget(default_table()["nvidia_gpu_sm_80"]))
    assert "ptxas 13.0.1 and ptxas 12.9.1 do not know" in caught.value.message


def test_unknown_architectures_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    future = ptxas.Ptxas("/new/ptxas", "99.0.1", "99.0", frozenset({"sm_999"}))
    monkeypatch.setattr(generator, "find_ptxas", lambda: (future,))
    target = Target("nvidia_gpu_sm_999", toolchain="ptxas", options="-arch=sm_999")
    with pytest.raises(UsageError, match=r"LLVM 22\.\S+ does not know the processor 'sm_999'"):
        nvptx.NvptxGenerator().check(BuildTarget(target))
    with pytest.raises(UsageError, match="no architecture is named"):
        nvptx.NvptxGenerator().check(BuildTarget(Target("mine", toolchain="ptxas")))


def test_the_error_for_a_missing_ptxas_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing() -> list[str]:
        return []

    monkeypatch.setattr(ptxas, "_paths", nothing)
    with pytest.raises(ToolMissing, match="'ptxas' is not installed") as caught:
        nvptx.NvptxGenerator().check(BuildTarget(default_table()["nvidia_gpu_sm_90"]))
    assert "nvidia-cuda-nvcc-cu12" in caught.value.hint


def test_architectures_of_targets() -> None:
    def of(options: str) -> Architecture | None:
        return Architecture.of(Target("x", toolchain="ptxas", options=options))

    assert of("-arch=sm_90a") == ("sm_90a", 90, True)
    assert of("--gpu-name sm_120") == ("sm_120", 120, False)
    assert of("-v") is None


def test_lower_bits_of_numbers_are_stored_from_separate_registers() -> None:
    """From the register of a number, ptxas would store the number converted to an integer."""
    source = f"""
#include <sycl/sycl.hpp>
#include <cstring>
{TASK} void lower(float f, double d, sycl::half h, unsigned char *p, unsigned *q) {{
  float sum = f + f;
  double product = d * d;
  sycl::half twice = h + h;
  std::memcpy(p, &sum, 1);
  std::memcpy(p + 4, &product, 2);
  std::memcpy(q, &product, 4);
  std::memcpy(p + 8, &twice, 1);
}}
"""
    (image,) = images(source, ["nvidia_gpu_sm_90"]).values()
    ptx = next(bytes(ir.code) for ir in image.ir_modules if ir.ir_type is IRType.PTX).decode()
    stored = re.findall(r"st(?:\.global)?\.b(?:8|16|32)\s+\[.*\], (%\w+);", ptx)
    # LLVM stores two unaligned bytes one by one.
    assert len(stored) == 5
    for register in stored:
        writer = next(line for line in ptx.splitlines() if re.search(rf"\s{register},", line))
        assert re.search(r"mov\.b(16|32|64)|shr\.u64", writer), writer


def test_classes_by_value_are_not_addressed_as_parameters() -> None:
    source = f"""
#include <sycl/sycl.hpp>
struct Four {{ int m[4]; }};
[[gnu::noinline]] static int at(Four f, int i) {{ return f.m[i & 3]; }}
[[gnu::noinline]] static int changed(Four f, int i) {{ f.m[i & 3] += 5; return at(f, i + 1); }}
{TASK} void by_value(Four f, int i, int *p) {{ *p = at(f, i) + changed(f, i); }}
"""
    (image,) = images(source, ["nvidia_gpu_sm_90"]).values()
    ptx = next(bytes(ir.code) for ir in image.ir_modules if ir.ir_type is IRType.PTX).decode()
    functions = re.findall(r"^\.func .*?^\)", ptx, re.MULTILINE | re.DOTALL)
    assert functions
    assert not any(".align" in function for function in functions)
    assert not re.search(r"mov\.b64\s+%rd\d+, _Z\w+_param_", ptx)


def test_selections_between_a_number_and_zero_keep_the_sign() -> None:
    source = f"""
#include <sycl/sycl.hpp>
{TASK} void zeros(float x, double y, sycl::half z, float *p, double *q, sycl::half *r) {{
  p[0] = x > -0.0f ? x : -0.0f;
  p[1] = x < 0.0f ? x : 0.0f;
  q[0] = y > -0.0 ? y : -0.0;
  r[0] = z < sycl::half(0.0f) ? z : sycl::half(0.0f);
}}
"""
    (image,) = images(source, ["nvidia_gpu_sm_90"]).values()
    ptx = next(bytes(ir.code) for ir in image.ir_modules if ir.ir_type is IRType.PTX).decode()
    assert not re.search(r"\b(max|min)\.f", ptx)
    assert ptx.count("selp.") == 4
