"""Add-on images on a device, as itself and as other targets: code that was written by hand."""

import subprocess
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from image_sets import properties_of
from mock_programs import Image

from dovetail import Device, KernelNotSupported, MissingImport, Program, Queue, trust
from dovetail.conditions import AND, ARCHITECTURE, ASPECT, NOT, Condition, read_condition
from dovetail.image import (
    AbstractModule,
    AddOn,
    BundleState,
    IRModule,
    IRType,
    PropertySets,
    Requirements,
    SyclBin,
    write_program,
)
from dovetail.kernel_info import KernelInfo, Parameter, ParameterKind
from dovetail.runtime.backend import BackendDevice, BackendProgram
from dovetail.runtime.code_image import CodeImage, SetUp
from dovetail.targets import aspect_number, default_table

pytestmark = pytest.mark.device

OUT = Parameter("out", "int *", ParameterKind.POINTER, 8, 8, "i4")
RUN: PropertySets = {
    "Dovetail/kernels": {
        **properties_of(kernels=[KernelInfo("run", "run", "run(int *)", 0, (OUT,))])
    }
}
Make = Callable[..., Program]
EMPTY = Image()
Piece = tuple[Image, str]
"""An image, and its code in OpenCL C."""

FP64 = aspect_number("fp64")
FP16 = aspect_number("fp16")
PVC = default_table().architecture("intel_gpu_pvc") or -1
CPU = default_table().architecture("x86_64")
TARGETS = ("", "intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_50")


def pair(identifier: str, body: str, real: Image = EMPTY, declares: str = "") -> list[Piece]:
    """The two add-ons with a function `action_N`, which has this body or none."""
    name = f"action_{identifier}"
    stub = Image(exports=(name,), add_on=AddOn(identifier, is_real=False))
    return [
        (
            replace(real, exports=(name,), add_on=AddOn(identifier, is_real=True)),
            f"{declares}void {name}(global int *out) {{ {body} }}",
        ),
        (stub, f"void {name}(global int *out) {{}}"),
    ]


def condition(*ints: int) -> Condition:
    return read_condition(ints)


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes a program of images with their code."""
    folder = tmp_path_factory.mktemp("add-ons")
    known: dict[str, bytes] = {}

    def compiled(source: str) -> bytes:
        if source not in known:
            text, code = folder / "a.cl", folder / "a.spv"
            text.write_text(source)
            command = ["clang-22", "--target=spirv64v1.4-unknown-unknown", "-cl-std=CL3.0", "-O2"]
            subprocess.run([*command, "-c", str(text), "-o", str(code)], check=True)
            known[source] = code.read_bytes()
            trust.remember(known[source])
        return known[source]

    def module_of(image: Image, source: str) -> AbstractModule:
        code = IRModule.of(IRType.SPIRV, "spirv64-unknown-unknown", compiled(source))
        return replace(image.module(), ir_modules=(code,))

    def program(*pieces: Piece, name: str = "a.syclbin") -> Program:
        syclbin = SyclBin.of(BundleState.INPUT, [module_of(*piece) for piece in pieces])
        return Program.from_bytes(write_program(syclbin), name)

    return program


def results(program: Program, device: Device) -> list[int]:
    out = np.zeros(8, np.int32)
    Queue(device).single_task(program["run"], out).wait()
    return out.tolist()


def as_target(device: Device, target: str) -> Device:
    return device.as_target(target) if target else device


CALLS_ONE = "void action_1(global int *out); kernel void run(global int *out) { action_1(out); }"
MAIN = """
void action_1(global int *out);
void action_2(global int *out);
void shared(global int *out);
kernel void run(global int *out) {
  out[0] += 1; action_1(out); action_2(out); action_1(out); shared(out);
}
"""


@pytest.mark.parametrize("target", TARGETS)
def test_nested_add_ons_and_those_of_imported_images(
    make: Make, device: Device, target: str
) -> None:
    one = make(
        (
            Image(
                imports=("shared",),
                add_ons={"1": condition(ASPECT, FP64), "2": condition(ARCHITECTURE, PVC)},
                more=RUN,
            ),
            MAIN,
        ),
        *pair(
            "1",
            "out[1] += 10; action_3(out);",
            Image(add_ons={"3": condition(NOT, ARCHITECTURE, PVC)}),
            "void action_3(global int *out);",
        ),
        *pair("2", "out[2] += 100;"),
        *pair(
            "3",
            "out[3] += 1000; action_4(out);",
            Image(add_ons={"4": condition(ASPECT, FP16)}),
            "void action_4(global int *out);",
        ),
        *pair("4", "out[4] += 3;"),
    )
    two = make(
        (
            Image(exports=("shared",), add_ons={"1": condition(NOT, ASPECT, FP64)}),
            "void action_5(global int *out);"
            "void shared(global int *out) { out[5] += 7; action_5(out); }",
        ),
        *(
            (replace(image, add_on=AddOn("1", image.add_on.is_real)), code)
            for image, code in pair("5", "out[6] += 8;")
            if image.add_on
        ),
        name="two",
    )
    on = as_target(device, target)
    fp64, pvc, fp16 = on.has("fp64"), target == "intel_gpu_pvc", on.has("fp16")
    expected = [
        1,
        20 * fp64,
        100 * pvc,
        2000 * (fp64 and not pvc),
        6 * (fp64 and not pvc and fp16),
        7,
        8 * (not fp64),
        0,
    ]
    assert results(one, on) == expected
    assert results(one, on) == expected, "once more, now that it is built"
    del two


def test_targets_tell_the_conditions_apart(device: Device) -> None:
    """Else the test above would show nothing."""
    seen = {
        (on.has("fp64"), on.has("fp16"), on.architecture == PVC)
        for on in (as_target(device, target) for target in TARGETS)
    }
    assert len(seen) >= 3


def test_what_was_built_is_kept_by_what_is_linked(
    make: Make, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[CodeImage] = []
    build = CodeImage.built_for

    def watched(image: CodeImage, device: BackendDevice, set_up: SetUp | None) -> BackendProgram:
        built.append(image)
        return build(image, device, set_up)

    monkeypatch.setattr(CodeImage, "built_for", watched)
    program = make(
        (Image(add_ons={"1": condition(ARCHITECTURE, PVC)}, more=RUN), CALLS_ONE),
        *pair("1", "out[0] = 11;"),
    )
    as_pvc, as_dg1 = device.as_target("intel_gpu_pvc"), device.as_target("intel_gpu_dg1")
    assert [results(program, on)[0] for on in (as_pvc, device, as_dg1, as_pvc)] == [11, 0, 0, 11]
    real, stub, other, *later = built
    assert real is not stub
    assert stub is other, "what is the same code is built once"
    assert set(later) <= {real}


def test_ids_are_of_their_own_program(make: Make, device: Device) -> None:
    programs = [
        make(
            (Image(add_ons={"1": condition(ARCHITECTURE, CPU or 0)}, more=RUN), CALLS_ONE),
            *pair("1", f"out[0] = {number};"),
            name=str(number),
        )
        for number in (5, 6)
    ]
    on = device.as_target("spir64_x86_64")
    assert [results(program, on)[0] for program in programs] == [5, 6]


def test_requirements_of_the_real_add_on_are_checked(make: Make, device: Device) -> None:
    needs = Requirements(sub_group_size=4711)
    program = make(
        (
            Image(add_ons={"1": condition(AND, ASPECT, FP64, ARCHITECTURE, PVC)}, more=RUN),
            CALLS_ONE,
        ),
        *pair("1", "out[0] = 1;", Image(requires=needs)),
    )
    with pytest.raises(KernelNotSupported, match="'fp64 and intel_gpu_pvc'"):
        results(program, device.as_target("intel_gpu_pvc"))
    assert results(program, device.as_target("intel_gpu_dg1"))[0] == 0


def test_add_on_imports_a_function_of_another_program(make: Make, device: Device) -> None:
    program = make(
        (Image(add_ons={"1": condition(ARCHITECTURE, PVC)}, more=RUN), CALLS_ONE),
        *pair(
            "1",
            "out[0] = elsewhere(3);",
            Image(imports=("elsewhere",)),
            "int elsewhere(int number);",
        ),
    )
    assert results(program, device.as_target("intel_gpu_dg1"))[0] == 0
    with pytest.raises(MissingImport):
        results(program, device.as_target("intel_gpu_pvc"))
    other = make(
        (Image(exports=("elsewhere",)), "int elsewhere(int number) { return number * 14; }")
    )
    assert results(program, device.as_target("intel_gpu_pvc"))[0] == 42
    del other
