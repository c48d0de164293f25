"""One image for different devices, from the words on the command line to the program's file."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.driver import BuildRequest, CompileWarning, plan_build
from dovetail.driver.requests import Headers
from dovetail.driver.steps.post_link import PostLink
from dovetail.errors import UsageError
from dovetail.frontend import Flags, Source
from dovetail.image import (
    AbstractModule,
    constants_of,
    read_program,
)
from dovetail.postlink import OptionalFeatures
from dovetail.spirv import SpirvModule
from dovetail.spirv.specialise import specialised
from dovetail.targets import default_table

Capture = pytest.CaptureFixture[str]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::single_task_kernel))"
SYCL = "#include <sycl/sycl.hpp>\nnamespace ex = sycl::ext::oneapi::experimental;\n"
KERNELS = (
    f"{SYCL}{TASK} void plain(float *p) {{ *p = 1; }}\n"
    f"{TASK} void twofold(double *p) {{ *p *= 2; }}\n"
)
ASKING = KERNELS + (
    f"{TASK} void asking(float *p) {{\n"
    "  ex::if_device_has<sycl::aspect::fp64>([=] { *p = float(double(*p) / 3); })\n"
    "      .otherwise([=] { *p = 7; });\n"
    "}\n"
)
CONDITIONAL = "-fsycl-optional-features=conditional"
ACM, PVC, SKL, X86 = "intel_gpu_acm_g10", "intel_gpu_pvc", "intel_gpu_skl", "x86_64"
SPIRV_MAGIC = b"\x03\x02\x23\x07"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "k.cpp").write_text(KERNELS)
    (tmp_path / "asking.cpp").write_text(ASKING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def built(
    *words: str, source: str = "k.cpp", targets: Sequence[str] = ()
) -> tuple[AbstractModule, ...]:
    chosen = [f"-fsycl-targets={','.join(targets)}"] if targets else []
    line = ["c++", "-fsycl", "-fsyclbin", CONDITIONAL, *chosen, *words, source, "-o", "k.syclbin"]
    assert main(line) == 0
    return read_program(Path("k.syclbin").read_bytes()).abstract_modules


def plan(*names: str, features: OptionalFeatures = OptionalFeatures.CONDITIONAL) -> list[str]:
    """How each family is taken apart."""
    flags = Flags(targets=tuple(default_table()[name] for name in names))
    request = BuildRequest((Source("a.cpp", ""),), flags, features=features)
    root = plan_build(request, Headers())
    return [a.features for a in root.in_order() if isinstance(a, PostLink)]


def test_only_spirv_is_conditional(capsys: Capture) -> None:
    assert plan() == plan(ACM, X86) == ["conditional"]
    assert plan(ACM, features=OptionalFeatures.SPLIT) == ["split"]
    assert plan("amd_gpu_gfx90a", ACM) == ["split", "conditional"]
    words = ["c++", "-fsycl", "-fsyclbin", "k.cpp", "-###", CONDITIONAL]
    assert main([*words, f"-fsycl-targets=amd_gpu_gfx90a,{ACM}"]) == 0
    lines = [each for each in capsys.readouterr().err.splitlines() if "post-link" in each]
    assert lines == [
        "# in process: post-link -split=auto k.cpp -family=amdgcn",
        "# in process: post-link -split=auto -optional-features=conditional k.cpp",
    ]


def test_words_are_read_from_files_and_checked(capsys: Capture) -> None:
    Path("words").write_text(f"{CONDITIONAL} -fsyclbin")
    assert main(["c++", "-fsycl", "@words", "k.cpp", "-###"]) == 0
    assert "-optional-features=conditional" in capsys.readouterr().err
    assert main(["run", "-fsycl-optional-features=conditonal", "k.cpp"]) == 2
    assert "did you mean 'conditional'?" in capsys.readouterr().err
    with pytest.raises(UsageError, match="invalid value"):
        dovetail.build(KERNELS, optional_features="never")  # pyright: ignore[reportArgumentType]
    for command in ("c++", "run"):
        assert main([command, "--help"]) == 0
        assert "-fsycl-optional-features=split|conditional" in capsys.readouterr().out


def test_word_that_has_no_effect_is_told_of(capsys: Capture) -> None:
    def said(*words: str) -> str:
        assert main(["c++", "-fsycl", "-c", "empty.cpp", *words]) == 0
        return capsys.readouterr().err

    Path("empty.cpp").write_text("int i;\n")
    amd = "-fsycl-targets=amd_gpu_gfx90a"
    assert said(CONDITIONAL, amd) == (
        f"dovetail: warning: argument unused during compilation: '{CONDITIONAL}'"
        " [-Wunused-command-line-argument]\n"
    )
    assert said(CONDITIONAL) == said("-fsycl-optional-features=split", amd) == ""
    assert said(CONDITIONAL, amd, "-Qunused-arguments") == ""
    with pytest.warns(CompileWarning, match="optional_features='conditional' has no effect here"):
        dovetail.build(KERNELS, optional_features="conditional", targets="amd_gpu_gfx90a")


def test_one_image_for_any_device() -> None:
    (image,) = built()
    assert set(image.info.kernel_reqs) == set(image.info.kernel_names)
    (ir,) = image.ir_modules
    assert ir.targets == ()
    (constant,) = constants_of(image.info).required
    whole = SpirvModule.read(bytes(ir.code))
    for value in (False, True):
        plain = specialised(whole, {constant: value}).to_bytes()
        assert (b"twofold" in plain) == value
        assert b"plain" in plain


def test_ways_to_keep_kernels_apart_are_steps_of_their_own() -> None:
    """What was kept of one is not taken for the other."""
    assert len(built()) == 1
    assert len(built("-fsycl-optional-features=split")) == 2
    assert len(built()) == 1


def test_native_code_is_made_of_what_a_target_can_run() -> None:
    (image,) = built(targets=[ACM, SKL, PVC])
    (ir,) = image.ir_modules
    assert ir.targets == (ACM, SKL, PVC)
    (twofold,) = (name for name in image.info.kernel_names if "twofold" in name)
    assert image.info.filtered_kernels == {ACM: {twofold: ("fp64",)}}
    codes = {native.arch: bytes(native.code) for native in image.native_images}
    assert {name: twofold.encode() in code for name, code in codes.items()} == {
        ACM: False,
        SKL: True,
        PVC: True,
    }


def test_conditions_stay_in_one_image_and_are_decided_for_native_code(capsys: Capture) -> None:
    (image,) = built(source="asking.cpp", targets=["spir64", ACM, PVC])
    assert image.info.resolved_targets == ()
    assert len(constants_of(image.info).asked) == 1
    assert [ir.targets for ir in image.ir_modules] == [()]
    assert [native.targets for native in image.native_images] == [(ACM,), (PVC,)]
    assert image.info.filtered_kernels.keys() == {ACM}
    capsys.readouterr()
    unknown = ASKING.replace("aspect::fp64", "aspect::ext_intel_matrix")
    Path("unknown.cpp").write_text(unknown)
    built(source="unknown.cpp", targets=["spir64", ACM])
    assert (
        "which it may have; it is assumed not to [-Wsycl-unknown-aspect]" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "how", ["-fsycl-device-if-resolve=early", "-fsycl-device-if=macros"], ids=["early", "macros"]
)
def test_what_is_decided_before_leaves_requirements(how: str) -> None:
    first, second = built(how, source="asking.cpp", targets=[ACM, PVC])
    for image, name in ((first, ACM), (second, PVC)):
        assert image.info.resolved_targets == (name,)
        constants = constants_of(image.info)
        assert not constants.asked
        assert len(constants.required) == 1
        assert [native.targets for native in image.native_images] == [(name,)]
        reqs = image.info.kernel_reqs
        assert [bool(reqs[k]) for k in reqs if "asking" in k] == [name == PVC]
    assert len(first.info.filtered_kernels[ACM]) == 1
    assert second.info.filtered_kernels == {}


def test_one_target_is_decided_early_unless_that_is_to_be_late() -> None:
    (image,) = built(source="asking.cpp", targets=[PVC])
    assert image.info.resolved_targets == (PVC,)
    (image,) = built("-fsycl-device-if-resolve=late", source="asking.cpp", targets=[PVC])
    assert image.info.resolved_targets == ()
    assert constants_of(image.info).asked


def test_image_that_a_target_cannot_run_has_no_code_for_it() -> None:
    Path("k.cpp").write_text(f"{SYCL}{TASK} void twofold(double *p) {{ *p *= 2; }}\n")
    (image,) = built(targets=[ACM])
    assert not image.ir_modules
    assert not image.native_images
    assert image.info.kernel_reqs


def test_four_families_in_one_command() -> None:
    """Intel's GPUs and x86-64 share a conditional image; NVIDIA's and AMD's have split ones."""
    images = built("-Xsycl-target-backend=x86_64", "-march=skx", targets=[
        ACM, "nvidia_gpu_sm_90", "amd_gpu_gfx1100", X86
    ])  # fmt: skip
    made = [
        (len(image.info.kernel_names), {name for n in image.native_images for name in n.targets})
        for image in images
    ]
    assert made == [
        (2, {ACM, X86}),
        (1, {"nvidia_gpu_sm_90"}),
        (1, {"nvidia_gpu_sm_90"}),
        (1, {"amd_gpu_gfx1100"}),
        (1, {"amd_gpu_gfx1100"}),
    ]


def test_what_is_compiled_for_targets_is_kept_and_timed(folder: Path, capsys: Capture) -> None:
    targets = [ACM, SKL, "intel_gpu_kbl"]
    built("-save-temps=kept", "-ftime-report=json", targets=targets)
    kept = {path.name: path for path in (folder / "kept").iterdir()}
    conditional, without, whole = (
        kept[f"k.image_0{name}.spv"].read_bytes() for name in ("", f".{ACM}", f".{SKL}")
    )
    assert "k.image_0.intel_gpu_kbl.spv" not in kept, "what is compiled for it is skl's"
    assert all(code.startswith(SPIRV_MAGIC) for code in (conditional, without, whole))
    assert b"twofold" in conditional
    assert b"twofold" in whole
    assert b"twofold" not in without
    (report,) = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    (parts,) = (step["parts"] for step in report["steps"] if "parts" in step)
    assert [part["step"] for part in parts] == [
        f"specializing image 0 for {ACM}",
        f"specializing image 0 for {SKL}, intel_gpu_kbl",
    ]
    assert all(part["wall"] > 0 for part in parts)
    built("-ftime-report", targets=targets)
    shown = capsys.readouterr().err
    assert f"of that: specializing image 0 for {ACM}\n" in shown


def test_log_names_the_kernels_that_were_compiled(capsys: Capture) -> None:
    words = [f"-fsycl-targets={ACM},{PVC}", f"-Xsycl-target-backend={ACM}", "-never-heard-of-it"]
    line = ["c++", "-fsycl", "-fsyclbin", CONDITIONAL, *words, "k.cpp", "-o", "k.syclbin"]
    assert main(line) == 1
    said = capsys.readouterr().err
    assert f"cannot compile kernel 'plain' for '{ACM}':\nocloc " in said
