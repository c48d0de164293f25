"""Programs with code for NVIDIA's GPUs, and GPUs to run them."""

from collections.abc import Generator

import pytest
from cuda_devices import cuda_devices, installed
from cuda_programs import KERNELS, targets
from fake_cuda import FakeCuda

import dovetail
from dovetail.runtime import Device, Program, Queue
from dovetail.runtime.cuda import why_no_device


@pytest.fixture(scope="session")
def program_bytes() -> bytes:
    """The kernels above, for one GPU and for the CPU that stands in for it."""
    return dovetail.build(KERNELS, targets=targets()).to_bytes()


@pytest.fixture
def program(program_bytes: bytes) -> Program:
    return Program.from_bytes(program_bytes)


@pytest.fixture
def fake(program_bytes: bytes) -> Generator[FakeCuda]:
    """A mock driver, which is the machine's."""
    driver = FakeCuda()
    driver.kernels.add(program_bytes)
    with installed(driver):
        yield driver


@pytest.fixture(params=["fake", "real"])
def gpu(request: pytest.FixtureRequest) -> Device:
    """A GPU; every test that takes this runs for a mock one, and a real one if there is one."""
    if request.param == "fake":
        request.getfixturevalue("fake")
    elif why_no_device():
        pytest.skip(f"no GPU of NVIDIA: {why_no_device()}")
    return cuda_devices()[0]


@pytest.fixture
def queue(gpu: Device) -> Queue:
    return Queue(gpu)


@pytest.fixture
def queue_on_fake(fake: FakeCuda) -> Queue:
    """A queue on a mock GPU, for tests that look into its driver."""
    return Queue(cuda_devices()[0])
