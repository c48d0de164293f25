"""Kernels start only where they fit: real programs on the CPU, as itself and as other targets."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from designs import Design, split_alone

import dovetail
from dovetail import (
    Device,
    DuplicateDefinition,
    Kernel,
    KernelNotSupported,
    MissingImport,
    NdRange,
    Program,
    Queue,
)
from dovetail.image import NativeImage, read_program, write_program
from dovetail.runtime.nd_range import RangeError
from dovetail.runtime.opencl.program import OpenCLProgram

pytestmark = pytest.mark.device

HEADER = """\
#include <sycl/sycl.hpp>
#define KERNEL(n) \\
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<n>))
"""
KERNELS = """\
inline float twice(float x) { double d = x; return float(d * 2); }
KERNEL(1) void plain(float *p) { p[0] = 1; }
KERNEL(1) void doubles(float *p) { p[0] = twice(1); }
KERNEL(1) void halves(float *p) { sycl::half h = p[0]; p[0] = h + sycl::half(3); }
KERNEL(1) [[sycl::reqd_sub_group_size(8)]] void sub8(float *p) { p[0] = 4; }
KERNEL(1) [[sycl::reqd_sub_group_size(16)]] void sub16(float *p) { p[0] = 5; }
KERNEL(1) [[sycl::reqd_sub_group_size(128)]] void sub128(float *p) { p[0] = 6; }
KERNEL(1) [[sycl::reqd_work_group_size(8)]] void groups(float *p) { p[0] = 7; }
KERNEL(1) [[sycl::reqd_work_group_size(1 << 20)]] void huge(float *p) { p[0] = 8; }
KERNEL(1) [[sycl::device_has(sycl::aspect::gpu)]] void for_gpus(float *p) { p[0] = 9; }
"""

Build = Callable[[str], Program]


@pytest.fixture(scope="module")
def program(design: Design) -> Program:
    return design.build(HEADER + KERNELS)


@pytest.fixture(scope="module")
def cpu() -> Device:
    return next(device for device in dovetail.devices() if device.kind == "cpu")


def first(queue: Queue, kernel: Kernel, nd_range: NdRange | int = 8) -> float:
    data = np.zeros(64, "f4")
    queue.parallel_for(kernel, nd_range, data).wait()
    return float(data[0])


def refused(program: Program, device: Device) -> set[str]:
    """The kernels that cannot start, by trying each; `fit` has to say the same."""
    queue = Queue(device)
    found: set[str] = set()
    for kernel in program:
        told = kernel.fit(device)
        if told is None:
            first(queue, kernel)
        else:
            with pytest.raises(KernelNotSupported) as raised:
                first(queue, kernel)
            assert str(raised.value) == str(told)
            found.add(kernel.name)
    return found


def without_halves(cpu: Device) -> set[str]:
    """What the real device lacks stays impossible, whatever it stands for."""
    return set[str]() if cpu.has("fp16") else {"halves"}


def test_on_the_device_itself(program: Program, cpu: Device) -> None:
    assert refused(program, cpu) == {"sub128", "huge", "for_gpus"} | without_halves(cpu)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("intel_gpu_acm_g10", {"doubles", "sub128", "huge"}),
        ("intel_gpu_pvc", {"sub8", "sub128", "huge"}),
        ("nvidia_gpu_sm_90", {"sub8", "sub16", "sub128", "huge"}),
    ],
)
def test_as_another_target(program: Program, cpu: Device, target: str, expected: set[str]) -> None:
    emulated = cpu.as_target(target)
    assert emulated.target == target
    assert emulated.has("gpu")
    assert not emulated.has("cpu")
    assert refused(program, emulated) == expected | without_halves(cpu)


def test_message_leads_from_the_kernel_to_the_use(program: Program, cpu: Device) -> None:
    with pytest.raises(KernelNotSupported) as raised:
        Queue(cpu.as_target("intel_gpu_acm_g10")).parallel_for(program["doubles"], 8, None)
    assert raised.value.message == (
        f"kernel 'doubles' cannot run on '{cpu.name}': it needs aspect 'fp64', which the"
        " emulated target 'intel_gpu_acm_g10' does not have\n"
        "  <stdin>:4:38: aspect 'fp64' is needed here: object of type 'double'\n"
        "  <stdin>:6:43: 'twice' is called here by 'doubles'"
    )
    assert raised.value.kernel == "doubles"
    assert raised.value.aspects == ("fp64",)
    assert raised.value.uses["fp64"].calls[0].callee == "twice"


def test_range_that_contradicts_the_required_size(program: Program, cpu: Device) -> None:
    queue = Queue(cpu)
    assert first(queue, program["groups"], NdRange(64, 8)) == 7
    assert first(queue, program["groups"], 64) == 7, "without a local size it is the required one"
    with pytest.raises(RangeError) as raised:
        first(queue, program["groups"], NdRange(64, 16))
    assert str(raised.value) == (
        "kernel 'groups' requires work-groups of 8, and is launched in work-groups of 16\n"
        "launch it with a local size of 8"
    )
    with pytest.raises(RangeError, match="12 % 8 is 4"):
        first(queue, program["groups"], 12)


@pytest.mark.parametrize("size", [2**32 - 1, 2**32, 2**64 - 1])
@pytest.mark.parametrize("form", ["[[sycl::reqd_work_group_size({}u)]]", "{}"])
def test_sizes_that_take_more_than_31_bits(
    cpu: Device, design: Design, size: int, form: str
) -> None:
    text = HEADER + f"KERNEL(1) {form.format(size)} void huge(float *p) {{ p[0] = 8; }}"
    if form == "{}":
        text = HEADER + (
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))"
            "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY("
            f"(sycl::ext::oneapi::experimental::work_group_size<{size}u>))"
            " void huge(float *p) { p[0] = 8; }"
        )
    with pytest.raises(KernelNotSupported, match=f"needs work-groups of {size}, which"):
        first(Queue(cpu), design.build(text)["huge"])


IMPORTER = """\
SYCL_EXTERNAL float scale(float);
KERNEL(1) void call(float *p) { p[0] = scale(21); }
KERNEL(1) void alone(float *p) { p[0] = 1; }
SYCL_EXTERNAL float offset(float x) { return x + 0.5f; }
"""
EXPORTER = """\
SYCL_EXTERNAL float offset(float);
SYCL_EXTERNAL float scale(float x) { return 2 * offset(x); }
"""


def test_functions_of_other_programs_are_linked(cpu: Device, design: Design) -> None:
    """Each program imports from the other."""
    importer = design.build(HEADER + IMPORTER)
    queue = Queue(cpu)
    with pytest.raises(MissingImport) as raised:
        first(queue, importer["call"])
    assert raised.value.message == (
        "kernel 'call' needs the function 'scale(float)', which no loaded program defines; it is"
        " imported by image 1 of a program in memory"
    )
    exporter = design.build(HEADER + EXPORTER)
    assert first(queue, importer["call"]) == 43
    del exporter


def test_two_programs_define_a_function(cpu: Device, design: Design) -> None:
    importer = design.build(HEADER + IMPORTER)
    others = [design.build(HEADER + EXPORTER + f"// {n}\nint unused{n};") for n in range(2)]
    others.append(design.build(HEADER + EXPORTER.replace("2 *", "3 *")))
    error = importer["call"].fit(cpu)
    assert isinstance(error, DuplicateDefinition)
    del others


def test_what_a_linked_function_requires_counts(cpu: Device, design: Design) -> None:
    importer = design.build(HEADER + IMPORTER)
    exporter = design.build(
        HEADER + "SYCL_EXTERNAL float scale(float x) { double d = x; return float(d); }"
    )
    with pytest.raises(KernelNotSupported) as raised:
        first(Queue(cpu.as_target("intel_gpu_acm_g10")), importer["call"])
    assert "'scale(float)', which it calls, needs aspect 'fp64'" in raised.value.message
    assert "aspect 'fp64' is needed here: object of type 'double'" in raised.value.message
    assert first(Queue(cpu), importer["call"]) == 21
    del exporter


@split_alone
def test_native_code_is_taken_first(
    program: Program,
    cpu: Device,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The driver's own binary of a kernel, beside its SPIR-V."""
    built = program["plain"].built_for(cpu)
    assert isinstance(built, OpenCLProgram)
    binary = built.binary()
    syclbin = read_program(program.to_bytes())
    native = NativeImage.of(cpu.target, "spir64_x86_64-unknown-unknown", binary)
    images = [
        replace(module, native_images=(native,))
        if b"plain" in str(module.metadata).encode()
        else module
        for module in syclbin.abstract_modules
    ]
    again = Program.from_bytes(write_program(replace(syclbin, abstract_modules=tuple(images))))
    monkeypatch.setenv("DOVETAIL_TRACE", "images")
    assert first(Queue(cpu), again["plain"]) == 1
    assert f"is used: native for {cpu.target}" in capfd.readouterr().err


@split_alone
def test_bad_image_is_no_reason_for_others_to_fail(program: Program, cpu: Device) -> None:
    syclbin = read_program(program.to_bytes())
    images = [
        module
        if b"plain" in str(module.metadata).encode()
        else replace(
            module, ir_modules=tuple(replace(ir, code=b"no code") for ir in module.ir_modules)
        )
        for module in syclbin.abstract_modules
    ]
    broken = Program.from_bytes(write_program(replace(syclbin, abstract_modules=tuple(images))))
    queue = Queue(cpu)
    assert first(queue, broken["plain"]) == 1
    with pytest.raises(dovetail.ProgramBuildError, match="not SPIR-V"):
        first(queue, broken["doubles"])
    assert first(queue, broken["plain"]) == 1


@pytest.mark.parametrize(
    ("variable", "wanted", "works"),
    [
        ("DOVETAIL_DEVICE", "opencl:cpu", True),
        ("DOVETAIL_DEVICE", "opencl:*:0", True),
        ("DOVETAIL_DEVICE", "opencl", True),
        ("DOVETAIL_DEVICE", "opencl:gpu:7", False),
        ("ONEAPI_DEVICE_SELECTOR", "opencl:cpu", True),
        ("ONEAPI_DEVICE_SELECTOR", "!opencl:*", False),
    ],
)
def test_device_by_the_environment(variable: str, wanted: str, works: bool) -> None:
    command = [sys.executable, "-c", "import dovetail; print(dovetail.Queue().device.kind)"]
    environment = os.environ | {variable: wanted}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is works, done.stderr
    if not works:
        assert f"no device matches {variable}={wanted}" in done.stderr


def test_device_by_part_of_its_name(cpu: Device) -> None:
    command = [sys.executable, "-c", "import dovetail; print(dovetail.devices()[0].name)"]
    environment = os.environ | {"DOVETAIL_DEVICE": cpu.name[:4].lower()}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == cpu.name


def test_target_by_the_environment(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import dovetail; print(dovetail.devices()[0])"]
    environment = os.environ | {"DOVETAIL_AS": "intel_gpu_pvc"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "as intel_gpu_pvc" in done.stdout
    environment["DOVETAIL_AS"] = "intel_gpu_pvd"
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "intel_gpu_pvc" in done.stderr, "the nearest name"


def test_emulated_devices_share_the_work_of_their_device(cpu: Device) -> None:
    """Memory goes back when the device has done all work on it, whoever gave that work."""
    emulated = cpu.as_target("intel_gpu_pvc")
    assert emulated.work is cpu.work
    assert cpu.as_target("intel_gpu_pvc") is emulated


def test_native_code_that_the_driver_refuses(program: Program, cpu: Device) -> None:
    """An update of the driver is no reason to fail where SPIR-V is there too."""
    syclbin = read_program(program.to_bytes())
    native = NativeImage.of(cpu.target, "spir64_x86_64-unknown-unknown", b"of another version")
    images = [replace(module, native_images=(native,)) for module in syclbin.abstract_modules]
    again = Program.from_bytes(write_program(replace(syclbin, abstract_modules=tuple(images))))
    assert first(Queue(cpu), again["plain"]) == 1


def test_refused_native_code_with_nothing_else_there(program: Program, cpu: Device) -> None:
    """What the driver said is told, not that there is no other code."""
    syclbin = read_program(program.to_bytes())
    native = NativeImage.of(cpu.target, "spir64_x86_64-unknown-unknown", b"of another version")
    images = [
        replace(module, ir_modules=(), native_images=(native,))
        for module in syclbin.abstract_modules
    ]
    alone = Program.from_bytes(write_program(replace(syclbin, abstract_modules=tuple(images))))
    with pytest.raises(dovetail.ProgramBuildError) as raised:
        first(Queue(cpu), alone["plain"])
    assert not isinstance(raised.value, dovetail.NoImageForDevice)
    assert "kernel 'plain' cannot be built from image" in raised.value.message
    assert "INVALID_BINARY" in raised.value.message


def test_failed_build_is_not_the_last_word(cpu: Device, design: Design) -> None:
    importer = design.build(HEADER + IMPORTER)
    good = design.build(HEADER + EXPORTER)
    syclbin = read_program(good.to_bytes())
    del good
    images = [
        replace(module, ir_modules=tuple(replace(ir, code=b"none") for ir in module.ir_modules))
        for module in syclbin.abstract_modules
    ]
    broken = Program.from_bytes(write_program(replace(syclbin, abstract_modules=tuple(images))))
    queue = Queue(cpu)
    with pytest.raises(
        dovetail.ProgramBuildError, match="kernel 'call' cannot be built from image"
    ):
        first(queue, importer["call"])
    del broken
    good = Program.from_bytes(write_program(syclbin))
    assert first(queue, importer["call"]) == 43
    del good
