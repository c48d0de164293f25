"""The process in which Intel's CPU runtime builds one kernel; see `dovetail.probe.opencl_cpu`.

In: SPIR-V on standard input. Out: a line of JSON on standard output, the outcome and the driver's
words. A child that ends without that line was brought down by the driver.
"""

import json
import os
import sys

from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.runtime import Device, devices
from dovetail.runtime.backend import Code, CodeKind

VERDICT = "dovetail-probe "

BUILT = "built"
REFUSED = "refused"
UNAVAILABLE = "unavailable"
"""There is no device, or none for the processor that was named."""


def find_device() -> Device | None:
    """The CPU as Intel's runtime offers it: other vendors have OpenCL for CPUs too."""
    for device in devices():
        if device.kind == "cpu" and device.platform.startswith("Intel"):
            return device
    return None


def build(spirv: bytes) -> tuple[str, str]:
    """The outcome, and the driver's words."""
    device = find_device()
    if device is None:
        return UNAVAILABLE, "there is no such device"
    try:
        device.native.build([Code(CodeKind.SPIRV, spirv)])
    except ProgramBuildError as error:
        return REFUSED, str(error)
    except DovetailError as error:
        return UNAVAILABLE, str(error)
    return BUILT, ""


if __name__ == "__main__":
    verdict = build(sys.stdin.buffer.read())
    sys.stdout.write(f"\n{VERDICT}{json.dumps(verdict)}\n")
    sys.stdout.flush()
    # Leave without the driver's own clean-up, which bad code can bring down.
    os._exit(0)
