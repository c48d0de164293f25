"""Programs that are built without targets, on a machine with a GPU of NVIDIA."""

from collections.abc import Generator

import pytest
from cuda_devices import cuda_devices, installed
from cuda_programs import STEP
from fake_cuda import FakeCuda

import dovetail
from dovetail.driver import installed_gpus
from dovetail.driver.installed_gpus import targets_to_run_here
from dovetail.driver.native_targets import target_to_build
from dovetail.errors import UsageError
from dovetail.runtime import Queue, cuda
from dovetail.settings import TRACE

pytestmark = pytest.mark.device


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Generator[list[str]]:
    """The targets of the machine's devices, as a child process finds them."""
    found = ["nvidia_gpu_sm_90", "x86_64"]

    def native_targets() -> list[str]:
        if not found:
            raise UsageError("none was found")
        return found

    monkeypatch.setattr(cuda, "may_have_device", lambda: True)
    monkeypatch.setattr("dovetail.driver.native_targets.native_targets", native_targets)
    installed_gpus.nvidia_targets.cache_clear()
    yield found
    installed_gpus.nvidia_targets.cache_clear()


@pytest.mark.parametrize(
    ("capability", "code"),
    [((9, 0), "native for nvidia_gpu_sm_90"), ((12, 0), "PTX for nvidia_gpu_sm_90")],
)
@pytest.mark.usefixtures("machine")
def test_programs_are_built_for_the_gpu_that_is_there(
    capability: tuple[int, int],
    code: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(TRACE.variable, "images")
    fake = FakeCuda(capability)
    program = dovetail.build(STEP)
    fake.kernels.add(program.to_bytes())
    with installed(fake):
        queue = Queue(cuda_devices()[0])
        values = queue.alloc(32, "i4", "shared")
        values.numpy()[:] = 1
        queue.parallel_for(program["step"], 32, values, 3, 1).wait()
    assert set(values.numpy()) == {4}
    assert f"is used: {code}" in capsys.readouterr().err


def test_only_gpus_of_nvidia_count(machine: list[str]) -> None:
    assert targets_to_run_here() == ("nvidia_gpu_sm_90", "spir64")
    machine[:] = ["intel_gpu_pvc", "x86_64"]
    installed_gpus.nvidia_targets.cache_clear()
    assert targets_to_run_here() == ()


def test_no_device_at_all(machine: list[str]) -> None:
    machine.clear()
    assert targets_to_run_here() == ()


@pytest.mark.usefixtures("machine")
def test_without_its_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dovetail.compilers.ptxas.find_ptxas", list)
    assert targets_to_run_here() == ()


def test_without_a_driver_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "may_have_device", lambda: False)
    found = "dovetail.driver.native_targets.native_targets"
    monkeypatch.setattr(found, lambda: pytest.fail("looked for devices"))
    assert targets_to_run_here() == ()


@pytest.mark.parametrize(
    ("own", "built"),
    [
        ("nvidia_gpu_sm_86", "nvidia_gpu_sm_86"),
        ("nvidia_gpu_sm_120", "nvidia_gpu_sm_90"),
        ("x86_64", "x86_64"),
        ("", "spir64"),
    ],
)
def test_what_is_built_for_a_device(own: str, built: str) -> None:
    assert target_to_build(own) == built
