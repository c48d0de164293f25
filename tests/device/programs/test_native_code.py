"""Programs with native code for x86-64: taken as it is where it fits, and never trusted blindly."""

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, cast

import numpy as np
import pytest

import dovetail
from dovetail import Program, Queue
from dovetail.compilers.opencl_cpu import TARGET_SETTING, compile_spirv, find_opencl_cpu
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
    anew = built_code._built_anew  # pyright: ignore[reportPrivateUsage]

    def note(parts: Sequence[Code], device: BackendDevice) -> object:
        kinds.append(parts[0].kind)
        return anew(parts, device)

    monkeypatch.setattr(built_code, "_built_anew", note)
    monkeypatch.setenv(CACHE.variable, "off")
    mixed(program, queue)
    return kinds


def changed(data: bytes, *, code: bytes = b"", **claims: str | bytes) -> Program:
    """The program with other code, or with code that claims something else of itself."""
    (module,) = read_program(data).abstract_modules
    images: list[NativeImage] = []
    for image in module.native_images:
        assert image.origin
        made = code or bytes(image.code)
        origin = image.origin._replace(digest=sha256(made).digest())
        # Not all of the fields are texts.
        origin = origin._replace(**cast(Any, claims))
        images.append(NativeImage.of(image.arch, image.target, made, origin=origin))
    other = AbstractModule(module.metadata, module.ir_modules, tuple(images))
    return Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [other])))


def test_the_kind_of_this_processor_is_what_the_driver_takes_it_for() -> None:
    spirv = read_program(build().to_bytes()).abstract_modules[0].ir_modules[0].code
    level = 48
    kind = Queue().device.description.processor
    here, named = compile_spirv(bytes(spirv)), compile_spirv(bytes(spirv), kind)
    assert here.code[level] == named.code[level], kind


def test_native_code_is_taken_and_computes_the_same(native: bytes, monkeypatch: Patch) -> None:
    assert kinds_built(monkeypatch, Program.from_bytes(native)) == [CodeKind.NATIVE]
    assert mixed(Program.from_bytes(native)) == mixed(build())


def test_each_kind_of_processor_has_its_own(native: bytes) -> None:
    (module,) = read_program(native).abstract_modules
    kinds = [image.origin.processor for image in module.native_images if image.origin]
    assert kinds == ["core-avx2", "skx", "icelake-server", "sapphirerapids"]
    for image in module.native_images:
        assert image.target == "spir64_x86_64-unknown-unknown"
        assert image.origin
        assert image.origin.driver == find_opencl_cpu().version
        assert b"__sycl_kernel__Z3mixPfPKf" in bytes(image.code)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"driver": "1.0"}, "it is for driver 1.0, and this is "),
        ({"processor": "z80"}, "this processor is of the kind '"),
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
    bad = bytearray(module.native_images[0].code)
    # Its driver ends the process over most such damage.
    bad[64:] = bad[64:][::-1]
    program = changed(native, code=bytes(bad))
    assert kinds_built(monkeypatch, program) == [CodeKind.NATIVE, CodeKind.SPIRV]
    assert mixed(program) == mixed(build())


def test_a_driver_that_is_told_how_to_compile_compiles(native: bytes, monkeypatch: Patch) -> None:
    script = (
        "import sys, dovetail, numpy as np;"
        "p = dovetail.load(sys.argv[1]);"
        "a = np.ones(64, 'f4'); q = dovetail.Queue();"
        "q.parallel_for(p['mix'], dovetail.NdRange(64, 64), a, a).wait()"
    )
    monkeypatch.setenv(TRACE.variable, "images")
    monkeypatch.setenv(TARGET_SETTING, "corei7")
    file = os.memfd_create("program")
    os.write(file, native)
    command = [sys.executable, "-c", script, f"/proc/self/fd/{file}"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, pass_fds=[file])
    os.close(file)
    assert "is taken: SPIR-V" in ran.stderr
    assert f"the driver is told otherwise how to compile ({TARGET_SETTING})" in ran.stderr


def test_a_device_that_stands_for_another_runs_its_own_code(
    native: bytes, monkeypatch: Patch
) -> None:
    stand_in = Queue(Queue().device.as_target("intel_gpu_pvc"))
    assert kinds_built(monkeypatch, Program.from_bytes(native), stand_in) == [CodeKind.NATIVE]


def test_names_of_one_target_share_code() -> None:
    (module,) = read_program(build("x86_64", "spir64_x86_64").to_bytes()).abstract_modules
    assert {image.targets for image in module.native_images} == {("x86_64", "spir64_x86_64")}
