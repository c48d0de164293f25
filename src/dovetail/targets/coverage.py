"""Which devices a target's name stands for: most for one, some for many."""

from collections.abc import Iterable

from dovetail.targets import Target, architecture_names, architecture_number

ANY_DEVICE = "spir64"
"""What drivers compile as the program runs, whatever device that turns out to be."""
ANY_INTEL_GPU = "spir64_gen"
_ONE_X86 = "intel_cpu_"
_ANY_X86 = ("spir64_x86_64", "x86_64")

_CPU = "spir64_x86_64"
_CPU_TOOLCHAIN = "opencl-aot"
_PTX_TOOLCHAIN = "ptxas"
"""Later GPUs take the PTX that is there beside its code."""


def covers(target: str, device: str) -> bool:
    """Whether code for a target is meant for a device, given by the name of the device's target."""
    if target in (device, ANY_DEVICE):
        return True
    if target == ANY_INTEL_GPU:
        return device.startswith("intel_gpu_")
    return target in _ANY_X86 and (device in _ANY_X86 or device.startswith(_ONE_X86))


def decides_for(target: str, device: str) -> bool:
    """Whether conditions that were decided for a target come out so on a device.

    Code for any processor runs on those of a model, but a model is an architecture of its own.
    """
    return covers(target, device) and (target == device or not device.startswith(_ONE_X86))


def compile_target(targets: Iterable[Target]) -> str:
    """Return what the targets that an image is built for have in common as a name.

    Images name it so that DPC++'s runtime leaves other devices: it compares it with what it calls a
    device. All CPUs have one name there, and targets with the number of the same architecture that
    of the first.

    It is empty if they are different devices, or code for one of them is for others too.
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
