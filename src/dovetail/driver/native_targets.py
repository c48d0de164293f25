"""The targets of the devices of this machine: `-fsycl-targets=native`.

A child process finds the devices, since opening drivers starts threads, and builds fork processes.
"""

import sys

from dovetail.errors import DovetailError, UsageError
from dovetail.processes.process import Processes
from dovetail.processes.python_command import RUNTIME_DEPENDENCIES, python_command
from dovetail.targets.coverage import ANY_DEVICE

NATIVE = "native"


def native_targets() -> list[str]:
    """Return the targets of this machine's devices, each once, in the order of `devices()`."""
    command = python_command(__name__, (), RUNTIME_DEPENDENCIES)
    finished = Processes().run(command, purpose="finding the devices of this machine")
    found = finished.output.decode().split()
    if finished.status or not found:
        reason = finished.messages or "no device supports SPIR-V"
        raise UsageError(
            f"'{NATIVE}' names the devices of this machine, and none was found: {reason}",
            hint="'dovetail devices' lists devices, and says what to install; or name the targets"
            " of other machines",
        )
    return list(dict.fromkeys(found))


def _write_targets() -> None:
    """Write the targets of this machine's devices to standard output."""
    # Imported here: only the child process opens drivers.
    from dovetail.runtime import devices

    try:
        found = devices()
    except DovetailError as error:
        sys.exit(error.message)
    # A device that is not in the table runs what any device does.
    sys.stdout.write("\n".join(device.target or ANY_DEVICE for device in found))


if __name__ == "__main__":
    _write_targets()
