"""Native code for Intel's GPUs: ocloc's output, and checks before a build."""

import gc
import subprocess
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest

from dovetail.artifacts import DeviceImage
from dovetail.cli.main import main
from dovetail.codegen import (
    BuildTarget,
    CodeGenerationError,
    CodeRefused,
    check_targets,
    generators_of,
)
from dovetail.codegen.ocloc import compilation
from dovetail.codegen.spirv import image_spirv
from dovetail.compilers.ocloc import find_ocloc, knows_device
from dovetail.driver import BuildRequest, build_program
from dovetail.errors import ToolFailed, ToolMissing, UsageError
from dovetail.frontend import Flags, Source
from dovetail.image import AbstractModule, read_program
from dovetail.postlink import OptionalFeatures
from dovetail.spirv import SpirvModule
from dovetail.spirv.stripping import strip_hints
from dovetail.targets import Target, default_table

KERNELS = """\
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<1>))
void scale(float *p) {
  p[sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0)] *= 2;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
void first(int *p) { *p = 1; }
"""
SYMBOLS = ("__sycl_kernel__Z5scalePf", "__sycl_kernel__Z5firstPi")

Capture = pytest.CaptureFixture[str]


def built(folder: Path, targets: str, *words: str) -> AbstractModule:
    source, program = folder / "k.cpp", folder / "k.syclbin"
    source.write_text(KERNELS)
    command = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(program)]
    assert main([*command, f"-fsycl-targets={targets}", *words]) == 0
    (module,) = read_program(program.read_bytes()).abstract_modules
    return module


def ocloc(folder: Path, *words: str) -> str:
    """Return the output of ocloc."""
    command = [find_ocloc().path, *words]
    ran = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return ran.stdout


def test_each_device_has_code_that_ocloc_can_disassemble(tmp_path: Path) -> None:
    module = built(tmp_path, "intel_gpu_skl,intel_gpu_pvc")
    assert [image.targets for image in module.native_images] == [
        ("intel_gpu_skl",),
        ("intel_gpu_pvc",),
    ]
    for image in module.native_images:
        assert image.target == "spir64_gen-unknown-unknown"
        (tmp_path / "code.bin").write_bytes(image.code)
        (tmp_path / image.arch).mkdir()
        device = image.arch.removeprefix("intel_gpu_")
        words = ("-file", "code.bin", "-device", device, "-dump", image.arch)
        ocloc(tmp_path, "disasm", *words)
        listed = (tmp_path / image.arch / "PTM.txt").read_text()
        assert all(symbol in listed for symbol in SYMBOLS)


def test_the_format_can_be_chosen_and_is_valid(tmp_path: Path) -> None:
    (image,) = built(tmp_path, "intel_gpu_pvc", "-Xs", "--format zebin").native_images
    (tmp_path / "code.bin").write_bytes(image.code)
    said = ocloc(tmp_path, "validate", "-file", "code.bin")
    assert "Binary is VALID" in said
    assert all(f"named {symbol}" in said for symbol in SYMBOLS)


def test_one_spirv_module_is_stored_for_all_targets(tmp_path: Path) -> None:
    module = built(tmp_path, "intel_gpu_skl,intel_gpu_pvc")
    (spirv,) = module.ir_modules
    assert spirv.targets == ("intel_gpu_skl", "intel_gpu_pvc")
    assert all(bytes(spirv.code) not in bytes(image.code) for image in module.native_images)


def test_device_globals_are_defined(tmp_path: Path) -> None:
    """Drivers accept declarations without a value, but ocloc treats them as imports."""
    source, program = tmp_path / "k.cpp", tmp_path / "k.syclbin"
    source.write_text(
        KERNELS
        + """
        exp_::device_global<int> shared{5};
        exp_::device_global<int, decltype(exp_::properties(exp_::device_image_scope))> own{6};
        SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
        void both(int *p) { *p = ++shared + ++own; }
        """
    )
    command = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(program)]
    assert main([*command, "-fsycl-targets=intel_gpu_pvc"]) == 0
    modules = read_program(program.read_bytes()).abstract_modules
    assert all(module.native_images for module in modules)


def test_targets_of_one_device_share_code(tmp_path: Path) -> None:
    (image,) = built(tmp_path, "intel_gpu_adl_s,intel_gpu_rpl_s").native_images
    assert (image.arch, image.targets) == (
        "intel_gpu_adl_s",
        ("intel_gpu_adl_s", "intel_gpu_rpl_s"),
    )


def test_shared_spirv_is_generated_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reduced: list[SpirvModule] = []

    def counted(module: SpirvModule) -> SpirvModule:
        reduced.append(module)
        return strip_hints(module)

    monkeypatch.setattr(image_spirv, "strip_hints", counted)
    built(tmp_path, "intel_gpu_skl,intel_gpu_dg1,intel_gpu_pvc")
    assert len(reduced) == 1


def images_in_memory() -> set[DeviceImage]:
    gc.collect()
    return {each for each in gc.get_objects() if type(each) is DeviceImage}


@pytest.mark.parametrize("features", [OptionalFeatures.SPLIT, OptionalFeatures.CONDITIONAL])
@pytest.mark.parametrize("words", [(), ("-no-such-option",)])
def test_builds_leave_no_temporary_files(
    features: OptionalFeatures, words: tuple[str, ...]
) -> None:
    dg1 = default_table()["intel_gpu_dg1"]
    kernel = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))"
    source = Source.from_text(f"{KERNELS}{kernel} void halve(sycl::half *p) {{ *p /= 2; }}\n")
    request = BuildRequest((source,), Flags(targets=(dg1,)), features=features)
    before = images_in_memory()
    with pytest.raises(CodeRefused) if words else nullcontext():
        build_program(request._replace(target_options={dg1.name: words}))
    assert images_in_memory() <= before


def test_code_names_its_compiler(tmp_path: Path) -> None:
    (image,) = built(tmp_path, "intel_gpu_skl").native_images
    assert image.origin
    assert image.origin.compiler == find_ocloc().name
    assert image.origin.matches(image.code)
    assert not image.origin.matches(bytes(image.code)[:-1] + b"?")


def test_devices_by_options(tmp_path: Path) -> None:
    (image,) = built(tmp_path, "spir64_gen", "-Xs", "-device skl:kbl").native_images
    assert image.arch == "spir64_gen"
    assert bytes(image.code).startswith(b"!<arch>"), "an archive of both"


def target(options: str, *words: str) -> BuildTarget:
    return BuildTarget(Target("a_gpu", toolchain="ocloc", options=options), words)


@pytest.mark.parametrize(
    ("build_target", "message", "hint"),
    [
        (target(""), "'a_gpu': no device is named", "-device skl,pvc"),
        (
            target("-device pvcc"),
            " does not know the device 'pvcc'",
            "for 'pvcc': did you mean 'pvc'?\n'ocloc compile --help' lists",
        ),
        (
            target("", "-device", "skl,zzz9"),
            "does not know the device 'zzz9'",
            "'ocloc compile --help' lists the devices that it knows",
        ),
        (
            target("-device zzz9,skl,dg22"),
            "does not know the devices 'zzz9', 'dg22'",
            "for 'dg22': did you mean 'dg2' or 'dg2-g1",
        ),
    ],
)
def test_errors_before_anything_is_compiled(
    build_target: BuildTarget, message: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        check_targets([build_target])
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.message.startswith("cannot compile for target 'a_gpu': ")
    if "know" in message:
        assert find_ocloc().name in caught.value.message
    assert len(caught.value.hint) < 200, "ocloc knows dozens of names"


def test_no_names_are_suggested_for_known_targets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_ocloc(tmp_path, monkeypatch, "echo 'Cannot get HW Info for device'; exit 1")
    with pytest.raises(UsageError, match="does not know the device 'pvc'") as caught:
        check_targets([BuildTarget(default_table()["intel_gpu_pvc"])])
    assert caught.value.hint == (
        "install a newer ocloc (intel-opencl-icd), or leave out the targets that it does not know"
    )


@pytest.mark.parametrize("device", ["skl", "adl_s", "0x4905", "skl:glk", "xe-hpg"])
def test_all_device_names_of_ocloc_are_accepted(device: str) -> None:
    assert knows_device(find_ocloc(), device)


def test_the_error_for_a_missing_compiler_names_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolMissing) as caught:
        check_targets([BuildTarget(default_table()["intel_gpu_pvc"])])
    assert "'ocloc' is not installed" in caught.value.message
    assert "intel-opencl-icd" in caught.value.hint


def test_the_log_of_a_failure_names_kernels_and_target(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "k.cpp").write_text(KERNELS)
    words = ["-fsycl-targets=intel_gpu_skl", "-Xs", "-no-such-option"]
    program = tmp_path / "k.syclbin"
    command = ["c++", "-fsycl", "-fsyclbin", str(tmp_path / "k.cpp"), "-o", str(program)]
    assert main([*command, *words]) == 1
    printed = capsys.readouterr().err
    assert "cannot compile kernels 'scale', 'first' for 'intel_gpu_skl'" in printed
    assert "Invalid option (arg 4): -no-such-option" in printed
    assert not program.exists()


def pretend_ocloc(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    program = folder / "ocloc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("case $* in *-device*image*) sleep 60;; esac", "ocloc was still running after 1 s"),
        ("case $* in *-device*image*) kill -SEGV $$;; esac", r"failed \(SIGSEGV\)"),
        ("true", "ended without an error, but wrote no output file; it printed no message$"),
    ],
)
def test_a_compiler_that_hangs_or_crashes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    pretend_ocloc(tmp_path, monkeypatch, script)
    monkeypatch.setenv("DOVETAIL_TOOL_TIMEOUT", "1")
    with pytest.raises((CodeGenerationError, ToolFailed), match=message):
        compilation.compile_with_ocloc(b"", [target("-device skl")])


def test_the_slowest_devices_have_the_highest_cost() -> None:
    (generator,) = [each for each in generators_of("ocloc") if each.name == "ocloc"]

    def by_cost(*targets: BuildTarget) -> list[BuildTarget]:
        return sorted(targets, key=lambda each: generator.cost([each]), reverse=True)

    # The table has no sub-group sizes for lnl_m; pvc has one less than the others.
    names = ("lnl_m", "acm_g10", "tgllp", "skl", "pvc")
    slowest_first = [BuildTarget(default_table()[f"intel_gpu_{name}"]) for name in names]
    assert by_cost(*reversed(slowest_first)) == slowest_first
    several = target("-device skl,icllp")
    assert by_cost(*slowest_first, several)[0] == several


def key_parts(*targets: BuildTarget) -> Sequence[tuple[str, ...]]:
    (generator,) = [each for each in generators_of("ocloc") if each.name == "ocloc"]
    return [generator.key_parts(each) for each in targets]


def test_key_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    same, other, changed = key_parts(
        target("-device skl"), target("-device pvc"), target("-device skl", "-q")
    )
    assert len({same, other, changed}) == 3
    monkeypatch.setenv("IGC_SomeSetting", "1")
    assert key_parts(target("-device skl")) != [same]
