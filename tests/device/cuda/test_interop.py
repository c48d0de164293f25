"""What `interop/cuda` launches on a real GPU, on a mock one."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from cuda_devices import installed
from fake_cuda import FakeCuda
from interop.cuda.__main__ import report
from interop.cuda.checks import Check, all_checks
from interop.cuda.runner import Runner, find_gpu, without_native_code

import dovetail
from dovetail.runtime import Program

pytestmark = pytest.mark.device

SOURCE = Path(__file__).parents[3] / "interop/cuda/kernels.cpp"

# The CPU can run these too, if local memory is set for each argument.
LOCAL = "local_accessors"
_RUNNABLE = [check for check in all_checks() if not check.for_gpus or check.kernel == LOCAL]
# One of each kernel: `tests/device/programs` has all on the CPU itself.
CHECKS = list({check.kernel: check for check in _RUNNABLE}.values())

NewRunner = Callable[[bytes], Runner]


@pytest.fixture(scope="module")
def program() -> bytes:
    return dovetail.build(SOURCE, targets=("nvidia_gpu_sm_90", "spir64")).to_bytes()


@pytest.fixture(scope="module")
def new_runner(program: bytes) -> Generator[NewRunner]:
    fake = FakeCuda()
    fake.kernels.add(program)
    with installed(fake):

        def new(code: bytes) -> Runner:
            device = find_gpu()
            assert device is not None
            return Runner(device, Program.from_bytes(code))

        yield new


@pytest.fixture(scope="module")
def runner(new_runner: NewRunner, program: bytes) -> Runner:
    return new_runner(program)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.label)
def test_results(runner: Runner, check: Check) -> None:
    assert report(check, runner)


def test_ptx(new_runner: NewRunner, program: bytes) -> None:
    check = next(check for check in CHECKS if check.kernel == LOCAL)
    assert report(check, new_runner(without_native_code(program)))
