"""Building code that is not trusted in a child process, which may crash.

The parent sends the code to the child's standard input and reads one line of JSON, the last of its
standard output. A child that ends without that line was brought down by the driver.
"""

import json
import os
import signal
import subprocess
import sys
from typing import cast

from dovetail.errors import DovetailError, ProgramBuildError
from dovetail.runtime.backend import DeviceDescription
from dovetail.runtime.device import devices

TRIAL_SECONDS = 120.0

_VERDICT = "dovetail-trial "


def try_build(spirv: bytes, device: DeviceDescription) -> None:
    """Return if a child process can build `spirv`; else raise `ProgramBuildError`."""
    command = [sys.executable, "-m", __name__, _identity(device)]
    # The child must find this package wherever the parent found it.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        result = subprocess.run(
            command, input=spirv, capture_output=True, timeout=TRIAL_SECONDS, env=environment
        )
    except subprocess.TimeoutExpired:
        raise _brought_down(device, f"did not end within {TRIAL_SECONDS:.0f} s") from None
    verdict = _verdict(result.stdout)
    if verdict is None:
        raise _brought_down(device, _ending(result.returncode))
    if verdict:
        raise ProgramBuildError(verdict)


def _brought_down(device: DeviceDescription, how: str) -> ProgramBuildError:
    return ProgramBuildError(
        f"the driver of '{device.name}' failed on the code: the child process that built it {how}",
        hint="install spirv-tools: its validator can say what is wrong with the code",
    )


def _ending(status: int) -> str:
    if status < 0:
        return f"was ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def _identity(device: DeviceDescription) -> str:
    """What tells the device apart from others, the same in every process."""
    return json.dumps([device.backend, device.platform, device.name, device.driver_version])


def _verdict(output: bytes) -> str | None:
    """The child's refusal, empty if it built the code; None if it did not get that far."""
    for line in reversed(output.decode(errors="replace").splitlines()):
        if line.startswith(_VERDICT):
            return cast(str, json.loads(line.removeprefix(_VERDICT)))
    return None


def _build_here(identity: str, spirv: bytes) -> str:
    for device in devices():
        if _identity(device.description) == identity:
            try:
                device.native.build(spirv)
            except DovetailError as error:
                return str(error)
            return ""
    return f"the child process does not find the device {identity}"


if __name__ == "__main__":
    refusal = _build_here(sys.argv[1], sys.stdin.buffer.read())
    sys.stdout.write(f"\n{_VERDICT}{json.dumps(refusal)}\n")
    sys.stdout.flush()
    # Leave without the driver's own clean-up, which bad code can bring down too.
    os._exit(0)
