"""How images name the one target that they are built for, so that a runtime leaves other devices.

DPC++'s runtime compares it with what it calls a device. All CPUs have one name there, and targets
with the number of the same architecture that of the first.
"""

from collections.abc import Iterable

from dovetail.targets import Target, architecture_names, architecture_number

_CPU = "spir64_x86_64"
_CPU_TOOLCHAIN = "opencl-aot"
_PTX_TOOLCHAIN = "ptxas"
"""Later GPUs take the PTX that is there beside its code."""


def compile_target(targets: Iterable[Target]) -> str:
    """Return what the targets that an image is built for have in common as a name.

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
