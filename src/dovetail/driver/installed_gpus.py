"""The targets of this machine's GPUs that do not accept SPIR-V.

Programs that are built to run here contain code for them, without being told their names.
"""

from dovetail.compilers.ptxas import find_ptxas
from dovetail.targets.coverage import ANY_DEVICE
from dovetail.targets.nvidia import NvidiaArchitecture, newest_up_to


def targets_to_run_here() -> tuple[str, ...]:
    """Return the names of targets to build for; empty if SPIR-V is enough."""
    # Imported late: commands that only compile do not need the runtime.
    from dovetail.runtime.cuda import find_devices

    known = (_buildable(device.description.target) for device in find_devices())
    found = tuple(dict.fromkeys(filter(None, known)))
    return (*found, ANY_DEVICE) if found else ()


def _buildable(device: str) -> str:
    """Return the target to build for a GPU: the newest that it runs; empty if there is none."""
    architecture = NvidiaArchitecture.of(device)
    target = newest_up_to(architecture.version) if architecture else ""
    named = NvidiaArchitecture.of(target)
    if named is None:
        return ""
    # Without the compiler, programs run on the other devices.
    name = f"sm_{named.major}{named.minor}"
    return target if any(name in ptxas.architectures for ptxas in find_ptxas()) else ""
