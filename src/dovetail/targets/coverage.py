"""Which devices the code of a target can run on: one device for most targets, many for some."""

from collections.abc import Iterable

from dovetail.targets import Target, architecture_names, architecture_number
from dovetail.targets.nvidia import native_distance

ANY_DEVICE = "spir64"
"""Compiled by the driver of any device at run time."""
ANY_INTEL_GPU = "spir64_gen"
_ONE_X86 = "intel_cpu_"
_ANY_X86 = ("spir64_x86_64", "x86_64")

_CPU = "spir64_x86_64"
_CPU_TOOLCHAIN = "opencl-aot"
_PTX_TOOLCHAIN = "ptxas"
"""Its native code comes with PTX, which later GPUs can run."""


def covers(target: str, device: str) -> bool:
    """Return whether code for a target is meant for a device, given by its target's name."""
    if target in (device, ANY_DEVICE):
        return True
    if target == ANY_INTEL_GPU:
        return device.startswith("intel_gpu_")
    return target in _ANY_X86 and (device in _ANY_X86 or device.startswith(_ONE_X86))


def runs_native(target: str, device: str) -> bool:
    """Return whether a device runs native code for a target.

    NVIDIA's GPUs also run that of some older architectures.
    """
    return covers(target, device) or native_distance(target, device) is not None


def decides_for(target: str, device: str) -> bool:
    """Return whether conditions resolved for a target have the same outcome on a device.

    Code for any x86-64 CPU runs on a specific model, but a model is an architecture of its own.
    """
    return covers(target, device) and (target == device or not device.startswith(_ONE_X86))


def compile_target(targets: Iterable[Target]) -> str:
    """Return DPC++'s name for the one device that an image is built for; empty if several are.

    The image records the name, and DPC++'s runtime compares it with its own name of a device. It
    has one name for all CPUs, and one for all targets of the same architecture. The name is also
    empty if the code of a target can run on other devices.
    """
    names = {_name(target) for target in targets}
    return names.pop() if len(names) == 1 else ""


def _name(target: Target) -> str:
    if target.toolchain == _CPU_TOOLCHAIN:
        return _CPU
    if target.toolchain == _PTX_TOOLCHAIN:
        return ""
    number = architecture_number(target.name)
    return "" if number is None else architecture_names(number)[0]
