"""Which devices a target's name stands for: most for one, some for many."""

ANY_DEVICE = "spir64"
"""What drivers compile as the program runs, whatever device that turns out to be."""
ANY_INTEL_GPU = "spir64_gen"
_ONE_X86 = "intel_cpu_"
_ANY_X86 = ("spir64_x86_64", "x86_64")


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
