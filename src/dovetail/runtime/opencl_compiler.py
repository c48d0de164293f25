"""The process in which Intel's OpenCL CPU runtime compiles; see `dovetail.compilers.opencl_cpu`.

In: SPIR-V on standard input, options of the driver's compiler as words. Out: native code in the
file `NATIVE` in the current folder, and a line of JSON on standard output: the outcome, and the
driver's version or its words. Without SPIR-V it only tells the version. A child that ends without
that line was brought down by the driver.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dovetail import trust
from dovetail.compilers.opencl_cpu import BUILT, NATIVE, REFUSED, UNAVAILABLE, VERDICT
from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.runtime import Device, devices
from dovetail.runtime.backend import Code, CodeKind
from dovetail.runtime.trial import identity, packed


def find_device() -> Device | None:
    """The CPU as Intel's runtime offers it: other vendors have OpenCL for CPUs too."""
    for device in devices():
        if device.kind == "cpu" and device.platform.startswith("Intel"):
            return device
    return None


def compile_here(spirv: bytes, options: Sequence[str]) -> tuple[str, str]:
    """The outcome, and the driver's version or its words."""
    device = find_device()
    if device is None:
        return UNAVAILABLE, "there is no such device"
    try:
        # A processor that the driver does not know shows only now.
        device.native.open_queue()
        if spirv:
            _compile(device, spirv, options)
    except ProgramBuildError as error:
        return REFUSED, str(error)
    except DovetailError as error:
        return UNAVAILABLE, str(error)
    return BUILT, device.driver_version


def _compile(device: Device, spirv: bytes, options: Sequence[str]) -> None:
    binary = device.native.build([Code(CodeKind.SPIRV, spirv)], options).binary()
    Path(NATIVE).write_bytes(binary)
    # What this driver gave out it takes back, on this machine.
    driver = identity(device.native.description)
    trust.remember(packed([Code(CodeKind.NATIVE, binary)]), driver)


if __name__ == "__main__":
    verdict = compile_here(sys.stdin.buffer.read(), sys.argv[1:])
    sys.stdout.write(f"\n{VERDICT}{json.dumps(verdict)}\n")
    sys.stdout.flush()
    # Leave without the driver's own clean-up, which bad code can bring down.
    os._exit(0)
