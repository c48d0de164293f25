"""Infer the toolchain of a target and its options from the target's name.

This applies to entries that do not specify them; explicit keys take precedence.
"""

import re

from dovetail.targets import Table

COMPILER_IDS = {"gen-spir64": "ocloc", "x86-spir64": "opencl-aot"}
"""The compiler ids of older configuration files, with their toolchains."""

TOOLCHAINS = ("ocloc", "opencl-aot", "ptxas", "amdgpu")
"""The toolchains that a name or compiler id can imply."""


def infer(name: str) -> tuple[str, str] | None:
    """Return the toolchain and options that a target's name implies, or None."""
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
    """Return the options with which the toolchain of a compiler id compiles for a target."""
    toolchain = COMPILER_IDS[compiler_id]
    inferred = infer(name)
    if inferred is not None:
        return inferred[1] if inferred[0] == toolchain else ""
    return f"-device {_generation(name, table)}" if toolchain == "ocloc" else ""


def _generation(name: str, table: Table) -> str:
    """Return ocloc's name for an older GPU name: `gen11_1` is 11.1.0, `gen_icl` is icllp."""
    version = re.fullmatch(r"gen(\d+)(?:_(\d+))?(?:_(\d+))?", name)
    if version and version[2]:
        return ".".join(part or "0" for part in version.groups())
    device = name.removeprefix("gen_")
    if f"intel_gpu_{device}" in table:
        return table[f"intel_gpu_{device}"].options.removeprefix("-device ")
    return _ocloc_device(device)


def _ocloc_device(name: str) -> str:
    """Return ocloc's spelling: versions have dots there, underscores in a target's name."""
    numbers = name.split("_")
    is_version = len(numbers) == 3 and all(part.isdecimal() for part in numbers)
    return ".".join(numbers) if is_version else name
