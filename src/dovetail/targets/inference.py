"""What a target's name tells about the tool that compiles for it and what that tool is told.

Used for entries that do not say so themselves; what a configuration says always wins.
"""

import re

from dovetail.targets import Table

COMPILER_IDS = {"gen-spir64": "ocloc", "x86-spir64": "opencl-aot"}
"""What older configurations call a toolchain, and the toolchain."""

TOOLCHAINS = ("ocloc", "opencl-aot", "ptxas", "amdgpu")
"""Those that any name or compiler id can stand for."""


def infer(name: str) -> tuple[str, str] | None:
    """The toolchain and its options for a target's name; None if the name does not tell."""
    family, prefix, device = name.partition("_gpu_")
    if not prefix or not device:
        return None
    if family == "intel":
        return "ocloc", f"-device {_ocloc_device(device)}"
    if family == "nvidia" and device.startswith("sm_") and device != "sm_":
        return "ptxas", f"-arch={device}"
    if family == "amd" and device.startswith("gfx") and device != "gfx":
        return "amdgpu", f"-mcpu={device}"
    return None


def compiler_id_options(compiler_id: str, name: str, table: Table) -> str:
    """What the toolchain of a compiler id is told to compile for a target of that name."""
    toolchain = COMPILER_IDS[compiler_id]
    inferred = infer(name)
    if inferred is not None:
        return inferred[1] if inferred[0] == toolchain else ""
    return f"-device {_generation(name, table)}" if toolchain == "ocloc" else ""


def _generation(name: str, table: Table) -> str:
    """Older names of GPUs as ocloc spells them: `gen11_1` is version 11.1.0, `gen_icl` is icllp."""
    version = re.fullmatch(r"gen(\d+)(?:_(\d+))?(?:_(\d+))?", name)
    if version and version[2]:
        return ".".join(part or "0" for part in version.groups())
    device = name.removeprefix("gen_")
    if f"intel_gpu_{device}" in table:
        return table[f"intel_gpu_{device}"].options.removeprefix("-device ")
    return _ocloc_device(device)


def _ocloc_device(name: str) -> str:
    """As ocloc spells it: versions have dots there, which a target's name cannot have."""
    numbers = name.split("_")
    is_version = len(numbers) == 3 and all(part.isdecimal() for part in numbers)
    return ".".join(numbers) if is_version else name
