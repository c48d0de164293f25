"""The worker process that compiles with Intel's OpenCL CPU runtime.

`dovetail.compilers.opencl_cpu` starts it.

In: SPIR-V modules as requests; options for the driver's compiler as arguments. Out: for each
module, the outcome and the code. For an empty module, only the driver's version. If the process
ends without an answer, the driver has crashed.
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
    """Return the CPU device of Intel's OpenCL runtime, not of other vendors', or None."""
    for device in devices():
        if device.kind == "cpu" and device.platform.startswith("Intel"):
            return device
    return None


def compile_here(spirv: bytes, options: Sequence[str]) -> Compilation:
    """Compile a module in this process."""
    device = find_device()
    if device is None:
        return Compilation(UNAVAILABLE, "Intel's OpenCL CPU device was not found")
    try:
        # Fails on processors that the driver does not support.
        device.native.open_queue()
        code = _compiled(device, spirv, options) if spirv else b""
    except ProgramBuildError as error:
        return Compilation(REFUSED, str(error))
    except DovetailError as error:
        return Compilation(UNAVAILABLE, str(error))
    return Compilation(BUILT, device.driver_version, code)


def _compiled(device: Device, spirv: bytes, options: Sequence[str]) -> bytes:
    """Return native code of SPIR-V, and remember that its driver may trust it."""
    binary = device.native.build([Code(CodeKind.SPIRV, spirv)], options).binary()
    # On this machine, the driver accepts its own code again.
    driver = identity(device.native.description)
    trust.remember(packed([Code(CodeKind.NATIVE, binary)]), driver)
    return binary


def _answer(request: bytes) -> tuple[bytes, bool]:
    made = compile_here(request, sys.argv[1:])
    # After a failure, the state of the driver may be bad: do not reuse the process.
    return opencl_cpu.packed(made), made.outcome == BUILT


if __name__ == "__main__":
    serve(answer_stream(), _answer)
