"""Code objects for AMD's GPUs."""

import subprocess
from collections.abc import Sequence
from typing import Any

import pytest
import yaml

import dovetail
from dovetail.codegen import BuildTarget, amdgcn
from dovetail.codegen.amdgcn.device_library import control_constants
from dovetail.codegen.amdgcn.processor import Processor
from dovetail.errors import UsageError
from dovetail.image import AbstractModule, read_program
from dovetail.targets import Target, default_table

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
KERNELS = f"""
#include <sycl/sycl.hpp>
struct Pair {{ double a; float b; }};
{TASK} void plain(Pair s, float c, double *p, bool on) {{ if (on) *p = sycl::sin(s.a + s.b) * c; }}
{TASK} void halves(sycl::half *p) {{ *p = sycl::exp(*p); }}
void start(sycl::queue &queue, int *p) {{
  queue.parallel_for<class sized>(
      sycl::nd_range<2>({{8, 8}}, {{2, 8}}),
      [=](sycl::nd_item<2>) [[sycl::reqd_work_group_size(2, 8)]] {{ *p = 1; }});
  queue.parallel_for<class wide>(
      sycl::nd_range<1>(64, 64),
      [=](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(64)]] {{ *p = 1; }});
  queue.parallel_for<class narrow>(
      sycl::nd_range<1>(64, 64),
      [=](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(32)]] {{ *p = 1; }});
}}
"""


def images(targets: Sequence[str]) -> dict[str, AbstractModule]:
    """Return the images of a build, by the name of their first kernel."""
    program = read_program(dovetail.build(KERNELS, targets=targets).to_bytes())
    return {image.info.kernels[0].name: image for image in program.abstract_modules}


@pytest.fixture(scope="module")
def built() -> dict[str, AbstractModule]:
    return images(["amd_gpu_gfx90a", "amd_gpu_gfx1100"])


def code_for(image: AbstractModule, target: str) -> bytes:
    (native,) = [each for each in image.native_images if each.arch == target]
    assert native.target == "amdgcn-amd-amdhsa"
    assert native.origin
    assert native.origin.compiler.startswith("LLVM 22.")
    return bytes(native.code)


def readelf(code: bytes, *options: str) -> str:
    command = ["llvm-readelf-22", *options, "-"]
    return subprocess.run(command, input=code, capture_output=True, check=True).stdout.decode()


def notes(code: bytes) -> dict[str, Any]:
    """Return the metadata for the loader, as `llvm-readelf` prints it."""
    text = readelf(code, "--notes").partition("---\n")[2].partition("...")[0]
    return yaml.safe_load(text)


def kernel_notes(image: AbstractModule, target: str) -> dict[str, Any]:
    metadata = notes(code_for(image, target))
    assert metadata["amdhsa.target"] == f"amdgcn-amd-amdhsa--{target.removeprefix('amd_gpu_')}"
    (kernel,) = metadata["amdhsa.kernels"]
    assert kernel[".name"] == image.info.kernels[0].symbol
    return kernel


@pytest.mark.parametrize("target", ["amd_gpu_gfx90a", "amd_gpu_gfx1100"])
def test_arguments_have_clangs_layout(built: dict[str, AbstractModule], target: str) -> None:
    kernel = kernel_notes(built["plain"], target)
    given = [
        (argument[".offset"], argument[".size"], argument[".value_kind"])
        for argument in kernel[".args"]
        if not argument[".value_kind"].startswith("hidden_")
    ]
    assert given == [
        (0, 16, "by_value"),
        (16, 4, "by_value"),
        (24, 8, "global_buffer"),
        (32, 1, "by_value"),
    ]


def test_kernels_do_not_inherit_the_language_of_the_library(
    built: dict[str, AbstractModule],
) -> None:
    assert ".language" not in kernel_notes(built["plain"], "amd_gpu_gfx90a")


def test_required_sizes_of_work_groups(built: dict[str, AbstractModule]) -> None:
    sized = kernel_notes(built["sized"], "amd_gpu_gfx90a")
    # The fastest dimension comes first.
    assert sized[".reqd_workgroup_size"] == [8, 2, 1]
    assert sized[".max_flat_workgroup_size"] == 16
    assert sized[".uniform_work_group_size"] == 1
    plain = kernel_notes(built["plain"], "amd_gpu_gfx90a")
    assert ".reqd_workgroup_size" not in plain
    assert plain[".max_flat_workgroup_size"] == 1024


def test_wavefronts_have_the_required_sub_group_size(
    built: dict[str, AbstractModule],
) -> None:
    sizes = {
        (name, native.arch): kernel_notes(image, native.arch)[".wavefront_size"]
        for name, image in built.items()
        for native in image.native_images
    }
    old, new = "amd_gpu_gfx90a", "amd_gpu_gfx1100"
    assert sizes["plain", old] == sizes["wide", old] == 64
    assert sizes["plain", new] == sizes["narrow", new] == 32
    assert sizes["wide", new] == 64
    # Kernels that a target cannot run are omitted.
    assert ("narrow", old) not in sizes


def test_only_kernels_are_visible(built: dict[str, AbstractModule]) -> None:
    symbol = built["plain"].info.kernels[0].symbol
    lines = readelf(code_for(built["plain"], "amd_gpu_gfx90a"), "--dyn-syms").splitlines()
    seen = {line.split()[-1]: line for line in lines if "GLOBAL" in line or "WEAK" in line}
    assert seen.keys() == {symbol, f"{symbol}.kd"}
    assert all("PROTECTED" in line for line in seen.values())


def test_programs_contain_only_native_code(built: dict[str, AbstractModule]) -> None:
    assert not any(image.ir_modules for image in built.values())


def test_unknown_processors_are_rejected() -> None:
    """LLVM itself ignores unknown names without an error."""
    made = amdgcn.AmdgcnGenerator()
    made.check(BuildTarget(default_table()["amd_gpu_gfx90a"]))
    with pytest.raises(UsageError, match=r"LLVM 22\.\S+ does not know the processor 'gfx940'"):
        made.check(BuildTarget(default_table()["amd_gpu_gfx940"]))
    with pytest.raises(UsageError, match="no processor is named"):
        made.check(BuildTarget(Target("mine", toolchain="amdgpu")))


def test_processors_of_targets() -> None:
    def of(options: str) -> Processor:
        return Processor.of(Target("x", toolchain="amdgpu", options=options))

    assert of("-mcpu=gfx90a") == ("gfx90a", ())
    assert of("-mcpu=gfx90a:sramecc+:xnack-") == ("gfx90a", ("+sramecc", "-xnack"))
    # As in the files of AMD's library.
    versions = {"gfx700": 7000, "gfx90a": 9010, "gfx90c": 9012, "gfx1030": 10300, "gfx1201": 12001}
    assert {name: of(f"-mcpu={name}").version for name in versions} == versions


def test_target_features_are_passed_to_llvm(tmp_path: Any) -> None:
    config = tmp_path / "targets.yaml"
    config.write_text(
        "mine: {aspects: [gpu, fp16, fp64], aot-toolchain: amdgpu,"
        " aot-toolchain-options: '-mcpu=gfx90a:xnack+'}\n"
    )
    program = dovetail.build(KERNELS, targets=["mine"], device_config_files=[config])
    image = read_program(program.to_bytes()).abstract_modules[0]
    metadata = notes(bytes(image.native_images[0].code))
    assert metadata["amdhsa.target"] == "amdgcn-amd-amdhsa--gfx90a:xnack+"


def test_control_constants_depend_on_the_processor() -> None:
    text = control_constants(Processor("gfx1201", ()), 32).decode()
    assert "@__oclc_ISA_version = addrspace(4) constant i32 12001" in text
    assert "@__oclc_wavefrontsize64 = addrspace(4) constant i8 0" in text
    assert (
        "@__oclc_wavefrontsize64 = addrspace(4) constant i8 1"
        in control_constants(Processor("gfx90a", ()), 64).decode()
    )
