"""The real bindings accept what the back-end passes to the mock driver.

They convert arguments before they look for the driver's library. So without one, each call ends
with the error that there is no library, and not with one about a type.
"""

from typing import Any

import pytest
from cuda_devices import cuda_devices, installed
from fake_cuda import FakeCuda, bindings

from dovetail.runtime import Device, Program
from dovetail.runtime.backend import Code, CodeKind, MemoryKind, VariableValue
from dovetail.runtime.cuda import why_no_device
from dovetail.runtime.cuda.api import FUNCTIONS
from dovetail.runtime.cuda.loader import find_bindings

pytestmark = pytest.mark.device

PTX = (
    b".version 7.8\n.target sm_80\n.address_size 64\n"
    b".visible .const .b8 n;\n.visible .entry k() { ret; }\n"
)


@pytest.fixture
def used(fake: FakeCuda, program: Program) -> FakeCuda:
    """The driver after all functions have been used."""
    (device,) = cuda_devices()
    use_queues(device, program)
    device.native.build([Code(CodeKind.PTX, PTX, variables=(VariableValue("n", 0, b"1"),))])
    device.native.detail("uuid")
    device.native.detail("pci_address")
    device.native.renewed()
    return fake


def use_queues(device: Device, program: Program) -> None:
    """Copy, fill, launch and measure."""
    native = device.native
    queue, other = native.open_queue(profiling=True), native.open_queue()
    memory = [native.allocate(kind, 1024) for kind in MemoryKind]
    for length in (1, 2, 4):
        queue.fill(memory[0].address, bytes(range(length)), 1024)
    queue.copy(memory[0].address, memory[1].address, 100)
    step = program["step"]
    kernel = step.built_for(device).kernel(step.symbol, follows_pointers=False)
    kernel.set_pointer(0, memory[0].argument)
    kernel.detail("private_mem_size")
    launched = queue.launch(kernel, (32,), (32,))
    kernel.set_local(1, 50_000)
    other.wait(other.marker([launched]))
    queue.wait(launched)
    queue.times(launched)


def test_all_functions_are_used(used: FakeCuda) -> None:
    assert {*used.examples} == {*FUNCTIONS}


def test_arguments_have_types_that_the_bindings_accept(used: FakeCuda) -> None:
    if not why_of_machine():
        pytest.skip("there is a driver, which must not get mock handles")
    for name, arguments in used.examples.items():
        function: Any = getattr(bindings, name)
        with pytest.raises(RuntimeError, match="NVIDIA driver library"):
            function(*arguments)


def test_the_bindings_refuse_other_types() -> None:
    if not why_of_machine():
        pytest.skip("there is a driver, which must not get mock handles")
    with pytest.raises(TypeError):
        bindings.cuLaunchKernel(bindings.CUfunction(1), *[1] * 7, bindings.CUstream(1), "text", 0)


def why_of_machine() -> str:
    """Return why this machine has no real GPU; empty if it has one."""
    with installed(find_bindings()):
        return why_no_device()
