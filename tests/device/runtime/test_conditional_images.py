"""Code for several devices on one: specialized for it once, kept by what it was told, checked."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import cast

import numpy as np
import pytest
from conditional_programs import Conditional
from fuzz import modules
from image_sets import properties_of

import dovetail
from dovetail import KernelNotSupported, ProgramBuildError, trust
from dovetail.cache import PROGRAMS
from dovetail.conditions import ARCHITECTURE, read_condition
from dovetail.driver.building import OptionalFeatureMode
from dovetail.image import (
    AbstractModule,
    BundleState,
    Constants,
    IRModule,
    IRType,
    PropertySets,
    Requirements,
    SyclBin,
    numbered_reqs,
    read_program,
    write_program,
)
from dovetail.kernel_info import KernelInfo, Parameter, ParameterKind
from dovetail.runtime import Device, Program, Queue, sandboxed_build
from dovetail.runtime.backend import Code, CodeKind, DeviceDescription
from dovetail.runtime.opencl.device import OpenCLDevice
from dovetail.runtime.opencl.program import OpenCLProgram
from dovetail.settings import CACHE, CACHE_DIR
from dovetail.spirv import SpirvModule
from dovetail.spirv.specialise import specialised
from dovetail.targets import aspect_number, default_table

pytestmark = pytest.mark.device

FP64, FP16 = (Requirements((aspect_number(name),)) for name in ("fp64", "fp16"))
IS_PVC = read_condition((ARCHITECTURE, default_table().architecture("intel_gpu_pvc") or 0))
CONSTANTS = Constants({modules.FP64: FP64, modules.FP16: FP16}, {modules.FAST: IS_PVC})
TYPES = {"plain": "f4", "wide": "f8", "half": "f2"}
NEEDS = {"plain": Requirements(), "wide": FP64, "half": FP16}
NO_FP64 = "intel_gpu_acm_g10"


def _info(name: str) -> KernelInfo:
    parameter = Parameter("p", "void *", ParameterKind.POINTER, 8, 8, TYPES[name])
    return KernelInfo(name, name, f"{name}()", 1, (parameter,))


SETS: PropertySets = {
    "Dovetail/kernels": {**properties_of(kernels=map(_info, TYPES))},
    "SYCL/kernel reqs": properties_of(kernel_reqs=numbered_reqs(NEEDS, CONSTANTS.required)),
    "Dovetail/function reqs": properties_of(
        kernel_reqs=numbered_reqs({"action": FP64}, CONSTANTS.required)
    ),
    "SYCL/special specialization constants": properties_of(asked=CONSTANTS.asked),
}


def program(code: bytes | None = None, sets: PropertySets = SETS) -> Program:
    """The kernels `plain`, `wide` and `half`; what the first calls is for one architecture."""
    spirv = IRModule.of(IRType.SPIRV, "a triple", modules.conditional() if code is None else code)
    made = SyclBin.of(BundleState.INPUT, [AbstractModule(sets, (spirv,))])
    return Program.from_bytes(write_program(made), "a.syclbin")


class Watched(OpenCLDevice):
    """A device that remembers what its driver was given to build."""

    def __init__(self, device: Device) -> None:
        super().__init__(cast(OpenCLDevice, device.native).handle)
        self.builds: list[tuple[Code, ...]] = []

    def build(self, parts: Sequence[Code], options: Sequence[str] = ()) -> OpenCLProgram:
        self.builds.append(tuple(parts))
        return super().build(parts, options)

    @property
    def kinds(self) -> list[CodeKind]:
        return [parts[0].kind for parts in self.builds]


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache in which nothing is built yet; the code itself is known to be valid."""
    monkeypatch.setenv(CACHE_DIR.variable, str(tmp_path / "cache"))
    monkeypatch.delenv(CACHE.variable, raising=False)
    trust.remember(modules.conditional())
    return tmp_path / "cache"


@pytest.fixture
def watched(device: Device) -> Watched:
    return Watched(device)


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often code was specialized."""
    done: list[Code] = []

    def counted(module: SpirvModule, values: dict[int, bool]) -> SpirvModule:
        done.append(Code(CodeKind.SPIRV, module.to_bytes()))
        return specialised(module, values)

    monkeypatch.setattr("dovetail.spirv.specialise.specialised", counted)
    return lambda: len(done)


def run(loaded: Program, name: str, on: Device) -> list[float]:
    data = np.ones(2, TYPES[name])
    Queue(on).parallel_for(loaded[name], 1, data).wait()
    return data.tolist()


def test_each_device_gets_its_own(watched: Watched) -> None:
    loaded, here = program(), Device(watched)
    # What is called on one architecture alone doubles two floats as if they were one double.
    doubled = [2 * value for value in (np.ones(2, "f4").view("f8") * 2).view("f4").tolist()]
    assert run(loaded, "plain", here) == [2, 1]
    assert run(loaded, "plain", here.as_target("intel_gpu_pvc")) == [doubled[0], doubled[1] / 2]
    assert run(loaded, "wide", here) == [4, 1]
    assert run(loaded, "half", here) == [2, 1]
    assert run(loaded, "half", here.as_target(NO_FP64)) == [2, 1]
    with pytest.raises(KernelNotSupported, match="'wide' cannot run on"):
        run(loaded, "wide", here.as_target(NO_FP64))


def test_driver_sees_plain_code(watched: Watched) -> None:
    run(program(), "plain", Device(watched).as_target(NO_FP64))
    ((part,),) = watched.builds
    values = {modules.FP64: False, modules.FP16: True, modules.FAST: False}
    assert part.data == specialised(SpirvModule.read(modules.conditional()), values).to_bytes()


def test_kernels_of_an_image_share_one_build(watched: Watched, count: Callable[[], int]) -> None:
    loaded, here = program(), Device(watched)
    for name in TYPES:
        run(loaded, name, here)
    run(program(), "plain", here)
    assert watched.kinds == [CodeKind.SPIRV]
    assert count() == 1


def test_emulated_devices_share_what_is_the_same(watched: Watched, root: Path) -> None:
    loaded, here = program(), Device(watched)
    run(loaded, "plain", here)
    run(loaded, "plain", here.as_target("intel_gpu_dg2_g10"))
    run(loaded, "half", here.as_target(NO_FP64))
    assert len(watched.builds) == 2, "the two targets have the same, and the CPU has not"
    run(loaded, "plain", here.as_target("intel_gpu_pvc"))
    assert len(watched.builds) == 3
    assert len({part.data for (part,) in watched.builds}) == 3
    assert len(list((root / PROGRAMS.name).iterdir())) == 3


def test_what_is_kept_is_not_specialised(device: Device, count: Callable[[], int]) -> None:
    targets = ("", NO_FP64, "intel_gpu_pvc")

    def run_all() -> tuple[list[list[float]], list[CodeKind]]:
        native, loaded = Watched(device), program()
        here = Device(native)
        on = [here.as_target(target) if target else here for target in targets]
        return [run(loaded, "plain", each) for each in on], native.kinds

    first, kinds = run_all()
    assert kinds == [CodeKind.SPIRV] * 3
    again, kinds = run_all()
    assert kinds == [CodeKind.NATIVE] * 3, "as a new process would"
    assert again == first
    assert count() == 3


def test_eight_threads_build_once(watched: Watched, count: Callable[[], int]) -> None:
    here, start = Device(watched), Barrier(8)
    names = (*TYPES, *TYPES, *TYPES)[:8]

    def launch(name: str) -> float:
        start.wait()
        return run(program(), name, here)[0]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(launch, names))
    assert found == [{"plain": 2, "wide": 4, "half": 2}[name] for name in names]
    assert watched.kinds == [CodeKind.SPIRV]
    assert count() == 1


# Who vouches for code.


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was built in a child process first."""
    found: list[bytes] = []
    try_build = sandboxed_build.try_build

    def watching(parts: Sequence[Code], device: DeviceDescription) -> None:
        found.extend(part.data for part in parts)
        try_build(parts, device)

    monkeypatch.setattr("dovetail.runtime.sandboxed_build.try_build", watching)
    return found


def test_what_is_made_of_known_code_is_known(watched: Watched, tried: list[bytes]) -> None:
    run(program(), "plain", Device(watched))
    assert not tried


def test_what_is_made_of_unknown_code_is_tried(watched: Watched, tried: list[bytes]) -> None:
    unknown = SpirvModule.read(modules.conditional())
    unknown.words[2] = 7
    run(program(unknown.to_bytes()), "plain", Device(watched))
    assert tried == [watched.builds[0][0].data]
    assert b"SPV_INTEL_function_variants" not in tried[0]


def _damaged(at: str) -> bytes:
    """The module with something wrong that shows only where it is specialized."""
    words = SpirvModule.read(modules.conditional())
    for opcode, start, _ in words.instructions():
        if at == "cycle" and opcode == 52 and words.words[start + 2] == modules.BOTH:
            words.words[start + 4] = modules.EITHER
        if at == "call" and opcode == 332 and words.words[start + 1] == modules.P_CALL:
            words.words[start + 1] = modules.P_LOADED
        if at == "end" and opcode == 56:
            words.words[start] = 1 << 16
    return words.to_bytes()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (b"code", "expected a header of 5 words"),
        (modules.conditional()[:-28], "the instruction ends at word"),
        (_damaged("cycle"), "%22 is used before it is defined"),
        (_damaged("call"), "OpFunctionCall uses %4, which is off"),
        (_damaged("end"), "the function has no OpFunctionEnd"),
    ],
)
def test_bad_code_is_named(watched: Watched, code: bytes, message: str) -> None:
    on = Device(watched).as_target(NO_FP64)
    with pytest.raises(ProgramBuildError, match=message) as raised:
        run(program(code), "plain", on)
    assert raised.value.message.startswith(
        "kernel 'plain' cannot be built from image 0 of a.syclbin: the code cannot be specialized: "
    )
    assert not watched.builds


def test_constant_that_the_code_does_not_have(watched: Watched) -> None:
    sets = {**SETS, "SYCL/special specialization constants": {}}
    with pytest.raises(ProgramBuildError, match="the code cannot be specialized"):
        run(program(sets=sets), "plain", Device(watched))
    more = {**SETS, **Conditional({name: NEEDS[name] for name in TYPES}).sets}
    with pytest.raises(ProgramBuildError, match="the code cannot be specialized"):
        run(program(sets=more), "plain", Device(watched))


# Programs that are linked.

HEADER = """
#include <sycl/sycl.hpp>
namespace exp_ = sycl::ext::oneapi::experimental;
using sycl::aspect;
"""
MAIN = """
SYCL_EXTERNAL void elsewhere(float *);
SYCL_EXTERNAL void seldom(float *);
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel)) void k(float *p) {
  p[0] += 1;
  elsewhere(p);
  exp_::if_device_has<aspect::fp64>([=] { double d = p[0]; p[0] = float(d / 4); })
      .otherwise([=] { seldom(p); });
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((exp_::single_task_kernel)) void wide(double *p) {
  p[0] *= 2;
}
"""
OTHER = """
SYCL_EXTERNAL void elsewhere(float *p) {
  p[0] += 10;
  exp_::if_device_has<aspect::gpu>([=] { sycl::half h = 100; p[0] += float(h); });
}
SYCL_EXTERNAL void unused(double *p) { p[0] = 1; }
"""
SELDOM = "SYCL_EXTERNAL void seldom(float *p) { p[0] = -p[0]; }"


@pytest.fixture(scope="module")
def linked(own_cache: Path) -> dict[str, tuple[bytes, bytes, bytes]]:
    """By design, three programs that need each other."""

    def built(source: str, features: OptionalFeatureMode) -> bytes:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(CACHE_DIR.variable, str(own_cache))
            return dovetail.build(HEADER + source, optional_features=features).to_bytes()

    return {
        features: (built(MAIN, features), built(OTHER, features), built(SELDOM, features))
        for features in ("split", "conditional")
    }


@pytest.mark.parametrize("features", ["split", "conditional"])
def test_images_that_are_linked_are_told_their_own(
    watched: Watched, linked: dict[str, tuple[bytes, bytes, bytes]], features: str
) -> None:
    for each in linked[features]:
        for module in read_program(each).abstract_modules:
            for ir in module.ir_modules:
                trust.remember(bytes(ir.code))
    main, other = map(Program.from_bytes, linked[features][:2])

    def result(on: Device) -> float:
        data = np.ones(1, "f4")
        Queue(on).single_task(main["k"], data).wait()
        return float(data[0])

    here = Device(watched)
    assert result(here) == 3
    assert result(here.as_target("intel_gpu_pvc")) == 28
    with pytest.raises(dovetail.MissingImport, match=r"'seldom\(float\*\)'"):
        result(here.as_target(NO_FP64))
    seldom = Program.from_bytes(linked[features][2])
    assert result(here.as_target(NO_FP64)) == -112
    del other, seldom
