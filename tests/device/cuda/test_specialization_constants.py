"""Values of specialization constants in code for NVIDIA's GPUs: variables, set in loaded code."""

import struct
from dataclasses import replace

import pytest
from cuda_devices import cuda_devices, installed
from fake_cuda import FakeCuda, R

from dovetail.errors import DeviceError, ProgramBuildError
from dovetail.runtime import Kernel, Program, Queue
from dovetail.runtime.backend import Code, CodeKind, VariableValue

pytestmark = pytest.mark.device


def result(queue: Queue, kernel: Kernel) -> float:
    """Run the kernel, and return what all work-items have computed."""
    out = queue.alloc(8, "f4")
    queue.parallel_for(kernel, 8, (out.address,)).wait()
    values = out.numpy()
    assert (values == values[0]).all()
    return float(values[0])


def test_values(queue: Queue, program: Program) -> None:
    kernel = program["filter"]
    more = kernel.specialize({"taps": 7})
    assert result(queue, more) == 714
    assert result(queue, kernel) == 314
    window = kernel.specialize({"window": struct.pack("<b3x2f", 2, 0, 0.5)})
    assert result(queue, window) == 320.5
    assert result(queue, window.specialize({"taps": -1})) == -79.5
    assert result(queue, more) == 714


def test_a_module_is_loaded_for_each_set_of_values(
    queue_on_fake: Queue, fake: FakeCuda, program: Program
) -> None:
    kernel = program["filter"]
    assert result(queue_on_fake, kernel) == 314
    loaded = fake.calls.count("cuModuleLoadData")
    for _ in range(2):
        for taps in (4, 5):
            assert result(queue_on_fake, kernel.specialize({"taps": taps})) == taps * 100 + 14
    assert fake.calls.count("cuModuleLoadData") == loaded + 2
    # The cubin has the variable: nothing is compiled, and launches set nothing.
    assert fake.calls.count("cuModuleGetGlobal") == 2
    assert "cuLinkCreate" not in fake.calls


def test_compiled_ptx_is_cached_without_the_values(program_bytes: bytes) -> None:
    compilations: list[int] = []
    for taps in (8, 9):
        # An architecture for which the program has no cubin.
        fake = FakeCuda((10, 0))
        fake.kernels.add(program_bytes)
        with installed(fake):
            kernel = Program.from_bytes(program_bytes)["filter"].specialize({"taps": taps})
            assert result(Queue(cuda_devices()[0]), kernel) == taps * 100 + 14
        compilations.append(fake.calls.count("cuLinkCreate"))
    assert compilations == [1, 0]


def test_code_without_the_variable(queue_on_fake: Queue, fake: FakeCuda, program: Program) -> None:
    kernel = program["filter"].specialize({"taps": 6})
    # The cubin is tried first, then the PTX.
    fake.failing["cuModuleGetGlobal"] = [R.CUDA_ERROR_NOT_FOUND, R.CUDA_ERROR_NOT_FOUND]
    with pytest.raises(ProgramBuildError, match=r"the code has no variable '.*taps.*'"):
        result(queue_on_fake, kernel)
    fake.failing["cuModuleGetGlobal"] = [R.CUDA_ERROR_INVALID_HANDLE]
    with pytest.raises(DeviceError, match="cuModuleGetGlobal failed"):
        result(queue_on_fake, kernel)
    assert result(queue_on_fake, kernel) == 614


def test_a_variable_that_is_too_small(fake: FakeCuda) -> None:
    (device,) = cuda_devices()
    text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .const .align 4 .b8 n[4];\n"
    code = Code(CodeKind.PTX, f"{text}.visible .entry k() {{ ret; }}\n".encode())
    code = replace(code, variables=(VariableValue("n", 2, b"123"),))
    with pytest.raises(ProgramBuildError) as raised:
        device.native.build([code])
    assert raised.value.message == (
        "variable 'n' has 4 bytes in the code, but bytes up to 5 are to be set"
    )
