"""The targets of this machine's GPUs that do not accept SPIR-V.

Programs that are built to run here contain code for them, without being told their names.
"""

from functools import cache

from dovetail.errors import UsageError
from dovetail.runtime import cuda
from dovetail.targets.coverage import ANY_DEVICE
from dovetail.targets.nvidia import NvidiaArchitecture


def targets_to_run_here() -> tuple[str, ...]:
    """Return the names of targets to build for; empty if SPIR-V is enough."""
    found = tuple(filter(_has_compiler, nvidia_targets())) if cuda.may_have_device() else ()
    return (*found, ANY_DEVICE) if found else ()


@cache
def nvidia_targets() -> tuple[str, ...]:
    """Return the targets of NVIDIA's GPUs; a process finds them once, in a child process."""
    # Imported late, like ptxas below: most machines have no such GPU.
    from dovetail.driver.native_targets import native_targets

    try:
        return tuple(name for name in native_targets() if NvidiaArchitecture.of(name))
    except UsageError:
        return ()


def _has_compiler(target: str) -> bool:
    """Return whether ptxas is installed; without it, programs run on other devices."""
    from dovetail.compilers.ptxas import find_ptxas

    architecture = NvidiaArchitecture.of(target)
    name = architecture and f"sm_{architecture.major}{architecture.minor}"
    return any(name in ptxas.architectures for ptxas in find_ptxas())
