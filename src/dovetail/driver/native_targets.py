"""The targets of the devices of this machine: `-fsycl-targets=native`.

A child process finds the devices, since opening drivers starts threads, and builds fork processes.
"""

import sys

from dovetail.errors import DovetailError, UsageError
from dovetail.processes.process import Processes
from dovetail.processes.python_command import RUNTIME_DEPENDENCIES, python_command
from dovetail.targets.coverage import ANY_DEVICE
from dovetail.targets.nvidia import NvidiaArchitecture, newest_up_to

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


def target_to_build(target: str) -> str:
    """Return the target to build for a device, given by its own target, which may be unknown."""
    architecture = NvidiaArchitecture.of(target)
    if architecture is not None:
        # Newer GPUs than the table's run what is built for its newest.
        return newest_up_to(architecture.version)
    # A device that is not in the table runs what any device does.
    return target or ANY_DEVICE


def _write_targets() -> None:
    """Write the targets of this machine's devices to standard output."""
    # Imported here: only the child process opens drivers.
    from dovetail.runtime import devices

    try:
        found = devices()
    except DovetailError as error:
        sys.exit(error.message)
    sys.stdout.write("\n".join(map(target_to_build, (device.target for device in found))))


if __name__ == "__main__":
    _write_targets()
