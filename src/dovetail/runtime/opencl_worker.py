"""The process in which Intel's OpenCL CPU runtime compiles; see `dovetail.compilers.opencl_cpu`.

In: modules of SPIR-V as requests, one after the other; options of the driver's compiler as words.
Out: for each an answer that says what became of it, with the code. For an empty module it only
tells the driver's version. A process that ends without an answer was brought down by the driver.
"""

import sys
from collections.abc import Sequence

from dovetail import trust
from dovetail.compilers import opencl_cpu
from dovetail.compilers.opencl_cpu import BUILT, REFUSED, UNAVAILABLE, Compilation
from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.processes.messages import answer_stream, serve
from dovetail.runtime import Device, devices
from dovetail.runtime.backend import Code, CodeKind
from dovetail.runtime.sandboxed_build import identity, packed


def find_device() -> Device | None:
    """The CPU as Intel's runtime offers it: other vendors have OpenCL for CPUs too."""
    for device in devices():
        if device.kind == "cpu" and device.platform.startswith("Intel"):
            return device
    return None


def compile_here(spirv: bytes, options: Sequence[str]) -> Compilation:
    """What becomes of a module."""
    device = find_device()
    if device is None:
        return Compilation(UNAVAILABLE, "there is no such device")
    try:
        # A processor that the driver does not know shows only now.
        device.native.open_queue()
        code = _compiled(device, spirv, options) if spirv else b""
    except ProgramBuildError as error:
        return Compilation(REFUSED, str(error))
    except DovetailError as error:
        return Compilation(UNAVAILABLE, str(error))
    return Compilation(BUILT, device.driver_version, code)


def _compiled(device: Device, spirv: bytes, options: Sequence[str]) -> bytes:
    binary = device.native.build([Code(CodeKind.SPIRV, spirv)], options).binary()
    # What this driver gave out it takes back, on this machine.
    driver = identity(device.native.description)
    trust.remember(packed([Code(CodeKind.NATIVE, binary)]), driver)
    return binary


def _answer(request: bytes) -> tuple[bytes, bool]:
    made = compile_here(request, sys.argv[1:])
    # Whatever a failure leaves in the driver is not for the modules of others.
    return opencl_cpu.packed(made), made.outcome == BUILT


if __name__ == "__main__":
    serve(answer_stream(), _answer)
