"""Which code NVIDIA's GPUs get: cubins, PTX that the driver compiles, or none."""

from collections.abc import Callable

import numpy as np
import pytest
from cuda_devices import cuda_devices, installed
from cuda_programs import STEP
from fake_cuda import FakeCuda

import dovetail
from dovetail.errors import NoImageForDevice, ProgramBuildError
from dovetail.image import (
    AbstractModule,
    BundleState,
    IRModule,
    IRType,
    NativeImage,
    SyclBin,
    read_program,
    write_program,
)
from dovetail.runtime import Program, Queue
from dovetail.runtime.backend import Code, CodeKind
from dovetail.settings import TRACE

pytestmark = pytest.mark.device

TRIPLE = "nvptx64-nvidia-cuda"


def run(program: Program) -> None:
    """Run a kernel of the program on the mock GPU, and check what it computes."""
    queue = Queue(cuda_devices()[0])
    values = np.arange(32, dtype="i4")
    queue.parallel_for(program["step"], 32, values, 3, 1).wait()
    np.testing.assert_array_equal(values, np.arange(32) * 3 + 1)


def driver(program: bytes, *capability: int) -> FakeCuda:
    """A mock driver with a GPU of that compute capability."""
    fake = FakeCuda((capability[0], capability[1]))
    fake.kernels.add(program)
    return fake


def test_code_of_the_devices_architecture(
    program_bytes: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(TRACE.variable, "images")
    fake = driver(program_bytes, 9, 0)
    with installed(fake):
        run(Program.from_bytes(program_bytes))
    assert "cuLinkCreate" not in fake.calls
    assert "is used: native for nvidia_gpu_sm_90" in capsys.readouterr().err


@pytest.fixture(scope="module")
def step_bytes() -> bytes:
    """A program with one kernel, for one architecture."""
    return dovetail.build(STEP, targets=("nvidia_gpu_sm_90", "spir64")).to_bytes()


@pytest.fixture(scope="module")
def for_several() -> bytes:
    """A program for three architectures."""
    targets = ("nvidia_gpu_sm_70", "nvidia_gpu_sm_80", "nvidia_gpu_sm_86", "spir64")
    return dovetail.build(STEP, targets=targets).to_bytes()


@pytest.mark.parametrize(
    ("capability", "used"),
    [
        ((8, 6), "native for nvidia_gpu_sm_86"),
        ((8, 9), "native for nvidia_gpu_sm_86"),
        ((8, 0), "native for nvidia_gpu_sm_80"),
        ((7, 5), "native for nvidia_gpu_sm_70"),
        ((9, 0), "PTX for nvidia_gpu_sm_86"),
        # The table of targets does not have this one.
        ((10, 0), "PTX for nvidia_gpu_sm_86"),
    ],
)
def test_the_newest_code_that_the_device_runs(
    for_several: bytes,
    capability: tuple[int, int],
    used: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(TRACE.variable, "images")
    with installed(driver(for_several, *capability)):
        run(Program.from_bytes(for_several))
    assert f"is used: {used}" in capsys.readouterr().err


def test_compiled_ptx_is_cached(for_several: bytes) -> None:
    counts: list[int] = []
    for _ in range(2):
        fake = driver(for_several, 9, 0)
        # A version that no other test has used.
        fake.version = 13050
        with installed(fake):
            run(Program.from_bytes(for_several))
        counts.append(fake.calls.count("cuLinkCreate"))
    assert counts == [1, 0]


def test_no_code(for_several: bytes) -> None:
    with installed(driver(for_several, 6, 1)):
        (device,) = cuda_devices()
        with pytest.raises(NoImageForDevice) as raised:
            run(Program.from_bytes(for_several))
    assert device.target == "nvidia_gpu_sm_61"
    assert raised.value.message.startswith(
        "there is no code of kernel 'step' for 'Mock GPU 0' (target 'nvidia_gpu_sm_61'): image 0"
    )
    assert raised.value.hint == "build the program for that target too: nvidia_gpu_sm_61"


def with_code(program: bytes, *, cubin: bytes | None = None, ptx: bytes | None = None) -> Program:
    """The program with other code for the GPU."""
    (module,) = (m for m in read_program(program).abstract_modules if m.native_images)
    native = () if cubin is None else (NativeImage.of("nvidia_gpu_sm_90", TRIPLE, cubin),)
    ir = (
        ()
        if ptx is None
        else (IRModule.of(IRType.PTX, TRIPLE, ptx, targets=("nvidia_gpu_sm_80",)),)
    )
    changed = AbstractModule(module.metadata, ir, native)
    return Program.from_bytes(write_program(SyclBin.of(BundleState.INPUT, [changed])))


def code_of(program: bytes) -> tuple[bytes, bytes]:
    """The program's cubin and PTX."""
    (module,) = (m for m in read_program(program).abstract_modules if m.native_images)
    (native,), (ir,) = module.native_images, module.ir_modules
    return bytes(native.code), bytes(ir.code)


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "it is too short for an ELF header"),
    "magic": (lambda cubin: b"\0" + cubin[1:], "it is not a 64-bit ELF file"),
    "machine": (
        lambda cubin: cubin[:18] + b"\x3e\0" + cubin[20:],
        "not an executable for NVIDIA's GPUs",
    ),
    "end": (lambda cubin: cubin[:-300], "are outside of the file"),
    "half": (lambda cubin: cubin[:900], "are outside of the file"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_cubins_do_not_reach_the_driver(step_bytes: bytes, kind: str) -> None:
    change, complaint = DAMAGE[kind]
    cubin, _ = code_of(step_bytes)
    fake = driver(step_bytes, 9, 0)
    with installed(fake), pytest.raises(ProgramBuildError) as raised:
        run(with_code(step_bytes, cubin=change(cubin)))
    assert "the cubin is damaged" in str(raised.value)
    assert complaint in str(raised.value)
    assert "cuModuleLoadData" not in fake.calls


def test_a_cubin_of_another_architecture_does_not_reach_the_driver(step_bytes: bytes) -> None:
    cubin, ptx = code_of(step_bytes)
    wrong = bytearray(cubin)
    wrong[49 if cubin[8] >= 8 else 48] = 80
    fake = driver(step_bytes, 9, 0)
    with installed(fake), pytest.raises(ProgramBuildError) as raised:
        run(with_code(step_bytes, cubin=bytes(wrong)))
    assert "the cubin is for sm_80, which 'Mock GPU 0' (sm_90) does not run" in str(raised.value)
    assert "cuModuleLoadData" not in fake.calls
    # With PTX, that is used instead.
    with installed(fake):
        run(with_code(step_bytes, cubin=bytes(wrong), ptx=ptx))
    assert fake.calls.count("cuLinkCreate") == 1


def test_the_log_of_the_drivers_compiler(step_bytes: bytes) -> None:
    _, ptx = code_of(step_bytes)
    fake = driver(step_bytes, 9, 0)
    with installed(fake), pytest.raises(ProgramBuildError) as raised:
        run(with_code(step_bytes, ptx=ptx + b"\nnonsense;\n"))
    assert "the driver of 'Mock GPU 0' refused the code, CUDA_ERROR_INVALID_PTX:" in str(
        raised.value
    )
    assert "nonsense" in str(raised.value)
    # What the linker had was given back.
    assert not [kind for kind, _ in fake.live if kind == "CUlinkState"]


@pytest.mark.parametrize("ptx", [b"", b"no PTX", b".version 8.0\n.target sm_100\n"])
def test_damaged_ptx_does_not_reach_the_driver(step_bytes: bytes, ptx: bytes) -> None:
    fake = driver(step_bytes, 9, 0)
    with installed(fake), pytest.raises(ProgramBuildError, match="the PTX is"):
        run(with_code(step_bytes, ptx=ptx))
    assert "cuLinkCreate" not in fake.calls


LIBRARY = """
.version 7.8
.target sm_80
.address_size 64
.visible .func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value];
  add.s32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}
"""
CALLER = """
.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 result) twice(.param .b32 value);
.visible .entry calling(.param .u64 out) {
  .reg .b64 %d<2>;
  .reg .b32 %r<2>;
  ld.param.b64 %d1, [out];
  { .param .b32 value; .param .b32 result;
    st.param.b32 [value], 21;
    call.uni (result), twice, (value);
    ld.param.b32 %r1, [result]; }
  st.global.b32 [%d1], %r1;
  ret;
}
"""


def test_several_images_are_linked(step_bytes: bytes) -> None:
    fake = driver(step_bytes, 9, 0)
    with installed(fake):
        (device,) = cuda_devices()
        parts = [Code(CodeKind.PTX, text.encode()) for text in (CALLER, LIBRARY)]
        built = device.native.build(parts)
        assert built.kernel("calling", follows_pointers=False).largest_group == 1024
        with pytest.raises(ProgramBuildError):
            device.native.build(parts[:1])
    assert fake.calls.count("cuLinkAddData") == 3
