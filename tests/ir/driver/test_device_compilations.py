"""Which device compilations a program needs, and which code of objects is taken for each."""

from pathlib import Path

import pytest

from dovetail.cli.main import main
from dovetail.driver import BuildRequest, plan_build
from dovetail.driver.device_compilations import device_compilations, resolved_target
from dovetail.driver.requests import Headers
from dovetail.driver.steps.code_generation import CodeGeneration
from dovetail.driver.steps.device_compile import DeviceCompile
from dovetail.driver.steps.passes import Passes
from dovetail.driver.steps.post_link import PostLink
from dovetail.frontend import Flags, Source
from dovetail.image import IRType, read_program
from dovetail.targets import default_table

Capture = pytest.CaptureFixture[str]

KERNEL = """\
#include <sycl/sycl.hpp>
namespace ex = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))
void k(int *out) {
  ex::if_architecture_is<ex::architecture::intel_gpu_pvc>([=] { *out = 1; })
      .otherwise([=] { *out = 2; });
}
"""
NAMES = ("intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_90")


def flags(*names: str, how: str = "calls", when: str = "") -> Flags:
    targets = tuple(default_table()[name] for name in names)
    return Flags(targets=targets, device_if=how, device_if_resolve=when)


def described(given: Flags) -> list[tuple[str, tuple[str, ...], str]]:
    return [
        (unit.family.value, tuple(t.name for t in unit.targets), resolved_target(given, unit))
        for unit in device_compilations(given)
    ]


def test_families_share_a_run_unless_targets_are_told_apart() -> None:
    pvc, acm, sm = NAMES
    assert described(Flags()) == [("spirv64", (), "")]
    assert described(flags(*NAMES)) == [("spirv64", (pvc, acm), ""), ("nvptx64", (sm,), sm)]
    assert described(flags(*NAMES, when="late")) == [
        ("spirv64", (pvc, acm), ""),
        ("nvptx64", (sm,), ""),
    ]
    apart = [("spirv64", (pvc,)), ("spirv64", (acm,)), ("nvptx64", (sm,))]
    assert described(flags(*NAMES, when="early")) == [(f, t, t[0]) for f, t in apart]
    assert described(flags(*NAMES, how="macros")) == [(f, t, "") for f, t in apart]


def test_what_drivers_compile_stays_open() -> None:
    assert described(flags("spir64", when="early")) == [("spirv64", ("spir64",), "")]
    assert described(flags("spir64")) == [("spirv64", ("spir64",), "")]


@pytest.mark.parametrize(("how", "runs"), [("calls", 2), ("macros", 3)])
def test_each_unit_is_compiled_and_linked(how: str, runs: int) -> None:
    request = BuildRequest((Source("a.cpp", ""),), flags(*NAMES, how=how))
    actions = list(plan_build(request, Headers()).in_order())
    for phase in (DeviceCompile, Passes, PostLink, CodeGeneration):
        assert sum(isinstance(action, phase) for action in actions) == runs


def cxx(*words: str) -> int:
    return main(["c++", "-fsycl", *words])


@pytest.mark.parametrize("way", ["-fsycl-device-if=macros", "-fsycl-device-if-resolve=early"])
def test_objects_keep_the_code_of_each_target(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cpp").write_text(KERNEL)
    two = "-fsycl-targets=intel_gpu_pvc,intel_gpu_acm_g10"
    assert cxx("-c", way, two, "k.cpp") == 0
    assert cxx("-fsyclbin", way, two, "k.o", "-o", "k.syclbin") == 0
    images = read_program(Path("k.syclbin").read_bytes()).abstract_modules
    assert [[kernel.name for kernel in image.info.kernels] for image in images] == [["k"], ["k"]]
    codes = [
        (ir.targets, bytes(ir.code))
        for image in images
        for ir in image.ir_modules
        if ir.ir_type is IRType.SPIRV
    ]
    assert [targets for targets, _ in codes] == [("intel_gpu_pvc",), ("intel_gpu_acm_g10",)]
    assert codes[0][1] != codes[1][1], "each was decided for its own"
    assert cxx("-fsyclbin", way, "-fsycl-targets=intel_gpu_dg1", "k.o", "-o", "x") == 1
    assert "has no device code for 'intel_gpu_dg1'" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["-fsycl-device-if=macro", "-fsycl-device-if-resolve=soon"])
def test_other_words_are_refused(word: str, capsys: Capture) -> None:
    assert cxx(word, "k.cpp") == 2
    assert f"in '{word}'" in capsys.readouterr().err
