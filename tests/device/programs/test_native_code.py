"""Programs with native code for x86-64: taken as it is where it fits, and never trusted blindly."""

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from variants import one_in

import dovetail
from dovetail import Program, Queue
from dovetail.compilers.cpu_kinds import CPU_KINDS, TARGET_SETTING, kind_of_binary, minimal_kernel
from dovetail.compilers.opencl_cpu import find_opencl_cpu, host_cpu_kind
from dovetail.image import (
    AbstractModule,
    BundleState,
    NativeImage,
    SyclBin,
    read_program,
    write_program,
)
from dovetail.runtime import built_code
from dovetail.runtime.backend import BackendDevice, Code, CodeKind
from dovetail.runtime.host_processor import processor_features
from dovetail.runtime.native_code import cpu_kind_of
from dovetail.settings import CACHE, TRACE

pytestmark = pytest.mark.device

KERNEL = """
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi;
namespace exp_ = sycl::ext::oneapi::experimental;
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::nd_range_kernel<1>))
void mix(float *p, const float *q) {
  auto item = ext::this_work_item::get_nd_item<1>();
  auto tile = ext::group_local_memory_for_overwrite<float[64]>(item.get_group());
  auto i = item.get_global_id(0), l = item.get_local_id(0);
  (*tile)[l] = sycl::sin(q[i]);
  sycl::group_barrier(item.get_group());
  p[i] = p[i] * 3 + (*tile)[63 - l];
}
"""

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def build(*targets: str) -> Program:
    return dovetail.build(KERNEL, targets=targets)


@pytest.fixture(scope="module")
def native() -> bytes:
    """A program with native code for several kinds of processors."""
    return build("x86_64").to_bytes()


def mixed(program: Program, queue: Queue | None = None) -> bytes:
    """What the kernel computes, to the last bit."""
    p, q = np.arange(256, dtype=np.float32), np.linspace(0, 9, 256, dtype=np.float32)
    (queue or Queue()).parallel_for(program["mix"], dovetail.NdRange(256, 64), p, q).wait()
    return p.tobytes()


def kinds_built(monkeypatch: Patch, program: Program, queue: Queue | None = None) -> list[CodeKind]:
    """The kinds of code that the driver is given, with nothing kept of earlier builds."""
    kinds: list[CodeKind] = []
    # Which kind the driver compiles for is asked once, with a kernel that is not counted here.
    cpu_kind_of((queue or Queue()).device.native)
    anew = built_code._compile  # pyright: ignore[reportPrivateUsage]

    def note(parts: Sequence[Code], device: BackendDevice) -> object:
        kinds.append(parts[0].kind)
        return anew(parts, device)

    monkeypatch.setattr(built_code, "_compile", note)
    monkeypatch.setenv(CACHE.variable, "off")
    mixed(program, queue)
    return kinds


def changed(data: bytes, *, code: bytes = b"", without: str = "", **claims: str | bytes) -> Program:
    """The program with other code, with code that claims something else, or without some."""
    (module,) = read_program(data).abstract_modules
    images: list[NativeImage] = []
    for image in module.native_images:
        assert image.origin
        if image.origin.processor == without:
            continue
        made = code or bytes(image.code)
        origin = image.origin._replace(digest=sha256(made).digest())
        # Not all of the fields are texts.
        origin = origin._replace(**cast(Any, claims))
        images.append(NativeImage.of(image.arch, image.target, made, origin=origin))
    other = AbstractModule(module.metadata, module.ir_modules, tuple(images))
    return Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [other])))


SCRIPT = """
import sys, dovetail, numpy as np
program = dovetail.load(sys.argv[1])
a = np.ones(64, "f4")
dovetail.Queue().parallel_for(program["mix"], dovetail.NdRange(64, 64), a, a).wait()
"""


def choice_of_new_process(
    program: bytes, folder: Path, before: Sequence[str] = (), **settings: str
) -> str:
    """What a process with these settings says that it starts the kernel from.

    `before` is put before its command.
    """
    file = folder / "program"
    file.write_bytes(program)
    command = [*before, sys.executable, "-c", SCRIPT, str(file)]
    environment = {**os.environ, TRACE.variable: "images", **settings}
    return subprocess.run(
        command, check=True, stderr=subprocess.PIPE, text=True, env=environment
    ).stderr


def test_the_driver_tells_its_cpu_kind_here_and_in_a_process_of_its_own() -> None:
    kind = cpu_kind_of(Queue().device.native)
    assert kind in CPU_KINDS
    assert kind == host_cpu_kind(processor_features())


@pytest.mark.parametrize("kind", one_in(2, CPU_KINDS))
def test_native_code_is_taken_whichever_kind_the_driver_compiles_for(
    native: bytes, kind: str, tmp_path: Path
) -> None:
    own = cpu_kind_of(Queue().device.native)
    if CPU_KINDS.index(kind) > CPU_KINDS.index(own):
        pytest.skip(f"this CPU is {own}, which cannot run code for {kind}")
    said = choice_of_new_process(native, tmp_path, **{TARGET_SETTING: kind})
    assert f"is used: native for x86_64 ({kind})" in said


CPUINFO = sorted((Path(__file__).parents[2] / "cpuinfo").iterdir())


@pytest.mark.parametrize("cpuinfo", CPUINFO, ids=lambda path: path.name)
def test_native_code_is_taken_whatever_the_system_says_of_the_cpu(
    native: bytes, cpuinfo: Path, tmp_path: Path
) -> None:
    before = [str(cpuinfo.parent.parent / "support" / "with-cpuinfo"), str(cpuinfo)]
    tried = subprocess.run([*before, "grep", "model name", "/proc/cpuinfo"], capture_output=True)
    if tried.returncode:
        pytest.skip(f"cannot replace /proc/cpuinfo: {tried.stderr.decode().strip()}")
    assert tried.stdout.splitlines()[0] in cpuinfo.read_bytes()
    kind = cpu_kind_of(Queue().device.native)
    said = choice_of_new_process(native, tmp_path, before)
    assert f"is used: native for x86_64 ({kind})" in said


def test_code_for_other_kinds_is_left_alone_and_other_kernels_are_none_the_worse(
    native: bytes, monkeypatch: Patch, capsys: Capture
) -> None:
    kind = cpu_kind_of(Queue().device.native)
    monkeypatch.setenv(TRACE.variable, "images")
    program = changed(native, without=kind)
    assert kinds_built(monkeypatch, program) == [CodeKind.SPIRV]
    assert f"the driver generates code for {kind}\n" in capsys.readouterr().err
    # Had the driver been given older code, it would compile everything else for that.
    anew = Queue().device.native.build([Code(CodeKind.SPIRV, minimal_kernel())])
    assert kind_of_binary(anew.binary()) == kind


def test_native_code_is_taken_and_computes_the_same(native: bytes, monkeypatch: Patch) -> None:
    assert kinds_built(monkeypatch, Program.from_bytes(native)) == [CodeKind.NATIVE]
    assert mixed(Program.from_bytes(native)) == mixed(build())


def test_each_kind_of_processor_has_its_own(native: bytes) -> None:
    (module,) = read_program(native).abstract_modules
    kinds = [image.origin.processor for image in module.native_images if image.origin]
    assert kinds == [*CPU_KINDS]
    for image in module.native_images:
        assert image.target == "spir64_x86_64-unknown-unknown"
        assert image.origin
        assert image.origin.driver == find_opencl_cpu().version
        assert b"__sycl_kernel__Z3mixPfPKf" in bytes(image.code)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"driver": "1.0"}, "it is for driver 1.0, not "),
        ({"digest": b"?"}, "it is damaged"),
    ],
)
def test_what_is_not_for_this_machine_is_left_alone(
    native: bytes, changes: dict[str, str | bytes], reason: str, monkeypatch: Patch, capsys: Capture
) -> None:
    monkeypatch.setenv(TRACE.variable, "images")
    assert kinds_built(monkeypatch, changed(native, **cast(Any, changes))) == [CodeKind.SPIRV]
    assert reason in capsys.readouterr().err


def test_code_that_the_driver_cannot_take_costs_nothing_but_time(
    native: bytes, monkeypatch: Patch
) -> None:
    (module,) = read_program(native).abstract_modules
    kind = cpu_kind_of(Queue().device.native)
    own = next(i for i in module.native_images if i.origin and i.origin.processor == kind)
    bad = bytearray(own.code)
    # Its driver ends the process over most such damage.
    bad[64:] = bad[64:][::-1]
    program = changed(native, code=bytes(bad))
    assert kinds_built(monkeypatch, program) == [CodeKind.NATIVE, CodeKind.SPIRV]
    assert mixed(program) == mixed(build())


def test_a_driver_that_compiles_in_another_way_compiles(native: bytes, tmp_path: Path) -> None:
    setting = "CL_CONFIG_USE_FAST_RELAXED_MATH"
    said = choice_of_new_process(native, tmp_path, **{setting: "True"})
    assert "is used: SPIR-V" in said
    assert f"settings of the driver change how it compiles ({setting})" in said


def test_a_device_that_stands_for_another_runs_its_own_code(
    native: bytes, monkeypatch: Patch
) -> None:
    emulated = Queue(Queue().device.as_target("intel_gpu_pvc"))
    assert kinds_built(monkeypatch, Program.from_bytes(native), emulated) == [CodeKind.NATIVE]


def test_names_of_one_target_share_code() -> None:
    (module,) = read_program(build("x86_64", "spir64_x86_64").to_bytes()).abstract_modules
    assert {image.targets for image in module.native_images} == {("x86_64", "spir64_x86_64")}
