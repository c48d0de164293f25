"""Files of images with conditions: equivalent to a build in memory."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dovetail.artifacts import ConditionalCode, DeviceImage
from dovetail.cli.main import main
from dovetail.codegen.spirv.emit import emit_spirv
from dovetail.conditions import ASPECT, Condition
from dovetail.image import (
    Constants,
    ImageInfo,
    PropertySets,
    decode_info,
    encode_info,
    parse_property_sets,
    read_program,
)
from dovetail.ir import Context, Module
from dovetail.spirv.expressions import Expressions

HAS_FP16, HAS_FP64 = Condition((ASPECT, 5)), Condition((ASPECT, 6))
Capture = pytest.CaptureFixture[str]
PostLink = Callable[..., int]

TASK = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::single_task_kernel))"
SOURCE = f"""
#include <sycl/sycl.hpp>
namespace ex = sycl::ext::oneapi::experimental;
{TASK} void plain(float *p) {{ *p = 1; }}
{TASK} void twofold(double *p) {{ *p *= 2; }}
{TASK} SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::sub_group_size<16>))
void grouped(int *p) {{ *p = 1; }}
{TASK} void asking(float *p) {{
  ex::if_device_has<sycl::aspect::fp64>([=] {{ *p = float(double(*p) / 3); }})
      .otherwise([=] {{ *p = 7; }});
}}
"""
WORDS = ("-split=auto", "-properties", "-symbols", "-emit-kernel-names", "-emit-program-metadata")
CONDITIONAL = "-optional-features=conditional"
FP64_ONLY = """
define spir_kernel void @twofold() !sycl_used_aspects !0 { ret void }
define spir_kernel void @grouped() !intel_reqd_sub_group_size !1 !sycl_used_aspects !0 { ret void }
!0 = !{i32 6}
!1 = !{i32 16}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all files of a build of the source."""
    folder = tmp_path_factory.mktemp("conditional")
    (folder / "k.cpp").write_text(SOURCE)
    words = ["-fsycl", "-fsyclbin", "-fsycl-optional-features=conditional"]
    words += [f"-save-temps={folder}", str(folder / "k.cpp"), "-o", str(folder / "k.syclbin")]
    assert main(["c++", *words]) == 0
    return folder


def split(built: Path, post_link: PostLink, *words: str) -> None:
    given = str(built / "k.device.spirv64.passes.bc")
    assert post_link(*WORDS, CONDITIONAL, given, "-o", "k.table", *words) == 0


def properties(path: str) -> PropertySets:
    return parse_property_sets(Path(path).read_bytes())


def read_image(stem: str) -> DeviceImage:
    """Return the image in files."""
    info = decode_info(properties(f"{stem}.prop"))
    module = Module.parse(Context(), Path(f"{stem}.bc").read_bytes(), stem)
    return DeviceImage(module, (), info, conditional=ConditionalCode.of(info))


def test_property_sets_are_those_of_a_program(built: Path, post_link: PostLink) -> None:
    split(built, post_link)
    assert Path("k.table").read_text() == "[Code|Properties|Symbols]\nk_0.bc|k_0.prop|k_0.sym\n"
    (module,) = read_program((built / "k.syclbin").read_bytes()).abstract_modules
    written = decode_info(properties("k_0.prop"))
    assert len(written.kernel_reqs) == 4
    assert written.asked
    assert written.conditional_calls
    assert written.conditional_functions
    # What programs have as code.
    assert encode_info(replace(written, conditional_functions=None)) == module.metadata


def test_bitcode_and_property_sets_make_the_same_code(built: Path, post_link: PostLink) -> None:
    split(built, post_link)
    image = read_image("k_0")
    assert image.conditional
    assert emit_spirv(image) == (built / "k.image_0.spv").read_bytes()
    assert emit_spirv(read_image(str(built / "k.image_0"))) == emit_spirv(read_image("k_0"))


def test_spirv_contains_conditions(built: Path, post_link: PostLink) -> None:
    split(built, post_link, "-spirv")
    assert Path("k.table").read_text().splitlines()[1] == "k_0.spv|k_0.prop|k_0.sym"
    assert Path("k_0.spv").read_bytes() == (built / "k.image_0.spv").read_bytes()
    assert decode_info(properties("k_0.prop")).conditional_functions is None


def test_conditions_in_properties_are_read_back() -> None:
    expressions = Expressions()
    one, other = expressions.constant(100), expressions.constant(101)
    both = expressions.conjunction((one, expressions.negation(other)))
    either = expressions.disjunction((both, other))
    code = ConditionalCode(
        Constants({}, {100: HAS_FP64, 101: HAS_FP16}), expressions, {"k": either}, {"action": both}
    )
    info = ImageInfo(asked=code.constants.asked, conditional_functions=code.as_property)
    read = ConditionalCode.of(decode_info(encode_info(info)))
    assert read
    assert read.expressions.nodes == expressions.nodes
    assert (read.constants, read.functions, read.calls) == (
        code.constants,
        code.functions,
        code.calls,
    )
    # Expressions that are written alike are one.
    assert read.expressions.conjunction((one, expressions.negation(other))) == both
    assert ConditionalCode.of(ImageInfo()) is None


def test_tables_are_filtered_by_each_kernel(
    built: Path, post_link: PostLink, capsys: Capture
) -> None:
    split(built, post_link, "-o", "intel_gpu_acm_g10,acm.table")
    row = "k_0.bc|k_0.prop|k_0.sym"
    assert main(["aspect-filter", "k.table", "--arch", "intel_gpu_acm_g10"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [row]
    assert Path("acm.table").read_text().splitlines()[1:] == [
        "k_0.bc|k_intel_gpu_acm_g10_0.prop|k_0.sym"
    ]
    assert decode_info(properties("k_intel_gpu_acm_g10_0.prop")).conditional_functions
    assert main(["table", "k.table", "-extract=Properties,Code"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["k_0.prop|k_0.bc"]


def test_tables_of_targets_that_can_run_no_kernel_are_empty(
    post_link: PostLink, capsys: Capture
) -> None:
    words = (*WORDS, CONDITIONAL, "k.ll", "-o", "k.table", "-o", "intel_gpu_acm_g10,acm.table")
    assert post_link(*words, k=FP64_ONLY) == 0
    assert len(Path("k.table").read_text().splitlines()) == 2
    assert len(Path("acm.table").read_text().splitlines()) == 1
    assert not Path("k_intel_gpu_acm_g10_0.prop").exists()
    assert main(["aspect-filter", "k.table", "--arch", "intel_gpu_acm_g10"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert "row 0 (k_0.bc) is dropped: intel_gpu_acm_g10 lacks fp64" in err


def test_without_the_option_images_are_split(post_link: PostLink) -> None:
    assert post_link(*WORDS, "k.ll", "-o", "k.table", k=FP64_ONLY) == 0
    assert len(Path("k.table").read_text().splitlines()) == 3
    assert not decode_info(properties("k_0.prop")).kernel_reqs


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            (CONDITIONAL,),
            f"'{CONDITIONAL}' requires device code for SPIR-V, but 'k.ll' is for nvptx64",
        ),
        (("-spirv",), "'-spirv' requires device code for SPIR-V, but 'k.ll' is for nvptx64"),
        (("-optional-features=x",), "unknown value 'x' for -optional-features"),
        (("-S", "-spirv"), "'-S' and '-spirv' cannot be combined"),
        (("-ir-output-only", CONDITIONAL), "'-ir-output-only' and '-"),
        (("-ir-output-only", "-spirv"), "'-ir-output-only' and '-"),
    ],
)
def test_invalid_combinations(
    post_link: PostLink, capsys: Capture, words: tuple[str, ...], message: str
) -> None:
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k() { ret void }'
    assert post_link(*words, "k.ll", "-o", "k.table", k=text) == 2
    assert message in capsys.readouterr().err
