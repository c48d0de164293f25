"""Programs with conditions: which images they have for whom."""

import subprocess
import sys
from pathlib import Path

import pytest

import dovetail
from dovetail.cli.main import main
from dovetail.driver import BuildRequest, CompileWarning, build_program
from dovetail.frontend import Flags, Source
from dovetail.image import (
    AbstractModule,
    parse_file_table,
    read_program,
)
from dovetail.targets import aspect_number, default_table

KERNELS = """\
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel))
namespace {
KERNEL void kernel(int *p) {
  exp_::if_device_has<sycl::aspect::fp64>([=] { *p = static_cast<int>(*p * 2.5); })
      .otherwise([=] { *p = 1; });
  exp_::if_architecture_is<exp_::architecture::intel_gpu_pvc>([=] {
    exp_::if_device_has<sycl::aspect::fp16>([=] { *p = 3; });
  });
}
}
"""
FP64 = aspect_number("fp64")

pytestmark = pytest.mark.usefixtures("own_cpu_kind")


def built(*names: str, rdc: bool = True, sources: int = 1) -> list[AbstractModule]:
    """The images of `KERNELS`."""
    targets = tuple(default_table()[name] for name in names)
    texts = tuple(Source.from_text(f"// {number}\n{KERNELS}") for number in range(sources))
    request = BuildRequest(texts, Flags(targets=targets), rdc=rdc)
    return list(read_program(build_program(request).program).abstract_modules)


def kinds(images: list[AbstractModule]) -> list[str]:
    add_ons = [image.info.add_on for image in images]
    return [f"{each.kind} {each.identifier}" if each else "main" for each in add_ons]


def test_drivers_get_add_ons() -> None:
    images = built()
    pairs = [f"{kind} {number}" for number in (1, 2, 3, 4) for kind in ("real", "stub")]
    assert kinds(images) == ["main", *pairs]
    assert [list(image.info.add_ons) for image in images if image.info.add_ons] == [
        ["1", "2", "3"],
        ["4"],
    ]
    assert all(len(image.ir_modules) == 1 and not image.native_images for image in images)
    assert [image.info.requirements.aspects for image in images[:3]] == [(), (FP64,), ()]
    ((_, uses),) = images[1].info.aspect_uses.items()
    assert uses["fp64"].place.line == 7
    assert {image.info.opt_level for image in images} == {2}


def test_the_same_program_each_time() -> None:
    def content() -> list[dict[str, object]]:
        return [dict(image.metadata) for image in built()]

    assert content() == content()


def test_one_target_of_each_family() -> None:
    targets = ["x86_64", "intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_80", "amd_gpu_gfx90a"]
    images = built(*targets)
    assert kinds(images) == ["main"] * 5
    assert [image.info.resolved_targets for image in images] == [(t,) for t in targets]
    assert [image.info.requirements.aspects for image in images] == [
        *((FP64,), (FP64,), ()),
        *((FP64,), (FP64,)),
    ]
    assert [image.info.family for image in images] == [
        *["spirv64"] * 3,
        "nvptx64",
        "amdgcn",
    ]


def test_targets_that_decide_alike_share_images() -> None:
    (image,) = built("intel_gpu_skl", "x86_64")
    assert image.info.resolved_targets == ("intel_gpu_skl", "x86_64")
    assert {name for each in image.native_images for name in each.targets} == {
        "intel_gpu_skl",
        "x86_64",
    }


def test_drivers_and_compilers_side_by_side() -> None:
    images = built("spir64", "intel_gpu_pvc")
    assert kinds(images) == [*kinds(built()), "main"]
    *open_ones, decided = images
    assert not any(image.info.resolved_targets for image in open_ones)
    assert not any(image.native_images for image in open_ones)
    assert decided.info.resolved_targets == ("intel_gpu_pvc",)
    assert [form.targets for form in decided.native_images] == [("intel_gpu_pvc",)]


def test_add_ons_of_what_is_linked_apart_have_numbers_of_their_own() -> None:
    images = built(rdc=False, sources=2)
    assert kinds(images) == [
        "main",
        *(f"{kind} {number}" for number in (1, 2, 3, 4) for kind in ("real", "stub")),
        "main",
        *(f"{kind} {number}" for number in (5, 6, 7, 8) for kind in ("real", "stub")),
    ]
    named = [list(image.info.add_ons) for image in images]
    assert [each for each in named if each] == [["1", "2", "3"], ["4"], ["5", "6", "7"], ["8"]]


def test_what_is_not_known_of_a_target_is_warned_of() -> None:
    source = KERNELS.replace("aspect::fp64", "aspect::image")
    with pytest.warns(CompileWarning, match="holds for 'x86_64' depends on 'image'") as told:
        dovetail.build(source, targets="x86_64,intel_gpu_pvc")
    message = str(told[0].message)
    assert ":6:3: warning: whether 'image' holds" in message
    assert "[-Wsycl-unknown-aspect]" in message


def test_saved_files_of_variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cpp").write_text(KERNELS + "int main() {}\n")
    targets = "-fsycl-targets=intel_gpu_pvc,intel_gpu_acm_g10,intel_gpu_dg1"
    assert main(["c++", "-fsycl", targets, "a.cpp", "-o", "app", "-save-temps=kept"]) == 0

    def rows(table: str) -> list[str]:
        listed = parse_file_table((tmp_path / "kept" / table).read_bytes())
        return [Path(row[0]).name for row in listed.rows]

    assert rows("app.images.table") == ["app.image_0.bc", "app.image_1.bc"]
    assert rows("app.intel_gpu_pvc.table") == ["app.image_0.bc"]
    assert rows("app.intel_gpu_acm_g10.table") == ["app.image_1.bc"]
    assert rows("app.intel_gpu_dg1.table") == ["app.image_1.bc"]


ON_PVC = (
    "#include <sycl/sycl.hpp>\n"
    "namespace ex = sycl::ext::oneapi::experimental;\n"
    "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))\n"
    "void k(int *out) {\n"
    "  ex::if_architecture_is<ex::architecture::intel_gpu_pvc>([=] { *out = 4711; });\n"
    "}\n"
)


def test_devices_that_are_named_to_ocloc_decide_for_themselves(tmp_path: Path) -> None:
    source, out = tmp_path / "a.cpp", tmp_path / "a.syclbin"
    source.write_text(ON_PVC)
    words = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(out)]

    def images(*more: str) -> dict[tuple[str, ...], bool]:
        """The targets of each image, and whether the action is in its code."""
        assert main([*words, *more]) == 0
        modules = read_program(out.read_bytes()).abstract_modules
        constant = (4711).to_bytes(4, "little")
        return {
            image.info.resolved_targets: constant in bytes(image.ir_modules[0].code)
            for image in modules
        }

    by_name = images("-fsycl-targets=intel_gpu_skl,intel_gpu_pvc")
    assert by_name == {("intel_gpu_skl",): False, ("intel_gpu_pvc",): True}
    assert images("-fsycl-targets=spir64_gen", "-Xs", "-device skl,pvc") == by_name
    alone = images("-fsycl-targets=spir64_gen", "-Xs", "-device pvc")
    assert alone == {("intel_gpu_pvc",): True}


@pytest.mark.parametrize("resolve", ["early", "late"])
def test_devices_that_differ_in_their_architecture_are_refused(
    resolve: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(ON_PVC)
    words = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(tmp_path / "a.syclbin")]
    words += ["-fsycl-targets=spir64_gen", f"-fsycl-device-if-resolve={resolve}"]
    assert main([*words, "-Xs", "-device skl:kbl"]) == 1
    assert (
        f"{source}:5:3: error: whether 'intel_gpu_pvc' holds for 'spir64_gen' depends on its"
        " architecture, which is unknown"
    ) in capsys.readouterr().err
    source.write_text(ON_PVC.replace("intel_gpu_pvc", "nvidia_gpu_sm_90"))
    assert main([*words, "-Xs", "-device skl:kbl"]) == 0
    assert capsys.readouterr().err == ""


def test_objects_for_any_gpu_are_decided_when_they_are_linked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, made, out = (tmp_path / name for name in ("a.cpp", "a.o", "a.syclbin"))
    source.write_text(ON_PVC)
    words = ["c++", "-fsycl", "-fsycl-targets=spir64_gen"]
    assert main([*words, "-c", str(source), "-o", str(made)]) == 0
    assert main([*words, "-fsyclbin", str(made), "-Xs", "-device pvc", "-o", str(out)]) == 0
    (image,) = read_program(out.read_bytes()).abstract_modules
    assert image.info.resolved_targets == ("intel_gpu_pvc",)
    assert (4711).to_bytes(4, "little") in bytes(image.ir_modules[0].code)
    # What was decided for one device is not linked for another.
    assert main([*words, "-Xs", "-device pvc", "-c", str(source), "-o", str(made)]) == 0
    assert main([*words, "-fsyclbin", str(made), "-Xs", "-device skl", "-o", str(out)]) == 1
    assert "has no device code for 'intel_gpu_skl'" in capsys.readouterr().err


ON_DG1 = """\
#include <sycl/sycl.hpp>
namespace ex = sycl::ext::oneapi::experimental;
#define KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))
[[sycl::device_has()]] void half(int *p) {
  ex::if_architecture_is<ex::architecture::intel_gpu_dg1>([=] { *p = static_cast<int>(0.5 * *p); });
}
KERNEL void one(int *p) { half(p); }
KERNEL void two(int *p) { *p = 1; }
"""


@pytest.mark.parametrize("says", [False, True])
def test_what_users_files_say_of_architectures_that_are_no_targets(
    says: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Conditions name them: what is used on them alone need not be doubtful, nor part images."""
    source, file, out = (tmp_path / name for name in ("a.cpp", "c.yaml", "a.syclbin"))
    source.write_text(ON_DG1)
    file.write_text("intel_gpu_dg1: {aspects: [gpu, fp64]}\n" if says else "x: {aspects: [gpu]}\n")
    configured = f"-fsycl-device-config-file={file}"
    words = ["c++", "-fsycl", "-fsyclbin", str(source), "-o", str(out), configured]
    assert main([*words, "-fsycl-targets=spir64"]) == 0
    assert ("[-Wsycl-undeclared-aspect]" in capsys.readouterr().err) is not says
    images = list(read_program(out.read_bytes()).abstract_modules)
    assert kinds(images).count("main") == (1 if says else 2)
    command = ["post-link", "--device-config-file", str(file), "-split=auto", "-o"]
    kept = tmp_path / "kept"
    assert main([*words, "-fsycl-targets=spir64", f"-save-temps={kept}", "-w"]) == 0
    (linked,) = kept.glob("*.linked.bc")
    assert main([*command, str(tmp_path / "t.table"), str(linked)]) == 0
    rows = parse_file_table((tmp_path / "t.table").read_bytes()).rows
    assert len(rows) == len(images)


def test_a_malformed_condition_is_told_as_clang_would(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(
        "#include <sycl/sycl.hpp>\n"
        "template <typename T, typename... Condition>\n"
        "[[__sycl_detail__::add_ir_attributes_function"
        '("sycl-call-if-on-device-conditionally", true)]]\n'
        "void call(T fn, Condition...) { fn(); }\n"
        "SYCL_EXTERNAL void f(int *out) {\n"
        "  call([=] { *out = 1; }, -1, 6);\n"
        "  call([=] { *out = 2; }, -1);\n"
        "}\n"
    )
    for words in (["c++", "-fsycl", "-c", "-o", str(tmp_path / "a.o")], ["check"]):
        assert main([*words, str(source)]) == 1
        assert capsys.readouterr().err.startswith(
            f"{source}:7:3: error: malformed condition: integer 1: expected"
        )


def test_when_to_decide_is_unused_where_nothing_is_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("int main() {}\n")

    def said(*words: str) -> str:
        assert main(["c++", "-fsycl", "-c", str(source), "-o", str(tmp_path / "a.o"), *words]) == 0
        return capsys.readouterr().err

    early, late = (f"-fsycl-device-if-resolve={when}" for when in ("early", "late"))
    unused = "dovetail: warning: argument unused during compilation: '{}'"
    unused += " [-Wunused-command-line-argument]\n"
    pvc = "-fsycl-targets=intel_gpu_pvc"
    assert said(early) == said(early, "-fsycl-targets=spir64") == unused.format(early)
    assert said(late, pvc, "-fsycl-device-if=macros") == unused.format(late)
    assert said(early, pvc, "-fsycl-device-if=macros") == unused.format(early)
    assert said(early, pvc) == said(late, pvc) == said(early, "-Qunused-arguments") == ""
    command = [sys.executable, "-m", "dovetail", "run", early, str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, unused.format(early))
    with pytest.warns(CompileWarning, match="device_if_resolve='early' has no effect here"):
        dovetail.build(KERNELS, device_if_resolve="early")


def test_ptx_that_was_decided_is_for_no_later_gpu() -> None:
    source = (
        "#include <sycl/sycl.hpp>\n"
        "namespace ex = sycl::ext::oneapi::experimental;\n"
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))\n"
        "void k(int *out) {\n"
        "  ex::if_architecture_is<ex::architecture::nvidia_gpu_sm_90>([=] { *out = 1; });\n"
        "}\n"
    )
    names = ["nvidia_gpu_sm_80", "nvidia_gpu_sm_90"]
    program = read_program(dovetail.build(source, targets=names).to_bytes())
    ptx = [ir.targets for image in program.abstract_modules for ir in image.ir_modules]
    assert ptx == [(name,) for name in names]
