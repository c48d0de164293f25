"""Families of device IR, each compiled by a separate run of the front-end.

Triples and built-in functions differ, so an object file contains a module for each family that its
targets need.
"""

from collections.abc import Iterable
from enum import StrEnum

from dovetail.targets import Target


class IRFamily(StrEnum):
    """The kinds of device IR, by the architecture in clang's triple."""

    SPIRV64 = "spirv64"
    NVPTX64 = "nvptx64"
    AMDGCN = "amdgcn"

    @property
    def triple(self) -> str:
        """The target triple that clang compiles for."""
        return _TRIPLES[self]


_TRIPLES = {
    IRFamily.SPIRV64: "spirv64-unknown-unknown",
    IRFamily.NVPTX64: "nvptx64-nvidia-cuda",
    IRFamily.AMDGCN: "amdgcn-amd-amdhsa",
}

# DPC++ uses the older name of the same family.
_OTHER_NAMES = {"spir64": "spirv64"}


def family_name(triple: str) -> str:
    """Return the name of a triple's family, which need not be an `IRFamily`."""
    architecture = triple.partition("-")[0]
    return _OTHER_NAMES.get(architecture, architecture)


_BY_TOOLCHAIN = {"ptxas": IRFamily.NVPTX64, "amdgpu": IRFamily.AMDGCN}
"""All other ahead-of-time compilers accept SPIR-V, as drivers do."""


def ir_family(target: Target) -> IRFamily:
    """Return the IR family that a target's code is compiled from."""
    return _BY_TOOLCHAIN.get(target.toolchain, IRFamily.SPIRV64)


def by_ir_family(targets: Iterable[Target]) -> dict[IRFamily, tuple[Target, ...]]:
    """Return the targets by IR family; without targets, only SPIR-V for any device."""
    families: dict[IRFamily, tuple[Target, ...]] = {}
    for target in targets:
        family = ir_family(target)
        families[family] = (*families.get(family, ()), target)
    return families or {IRFamily.SPIRV64: ()}
