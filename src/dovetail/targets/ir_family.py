"""Which device IR a target's code is made from: each family has a run of the front-end of its own.

Triples and built-in functions differ, so an object file carries a module for each family that its
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
        """What clang compiles a source of this family for."""
        return _TRIPLES[self]


_TRIPLES = {
    IRFamily.SPIRV64: "spirv64-unknown-unknown",
    IRFamily.NVPTX64: "nvptx64-nvidia-cuda",
    IRFamily.AMDGCN: "amdgcn-amd-amdhsa",
}

# DPC++ calls the same family by its older name.
_OTHER_NAMES = {"spir64": "spirv64"}


def family_name(triple: str) -> str:
    """What the family of a triple is called, known here or not: the first part, mostly."""
    architecture = triple.partition("-")[0]
    return _OTHER_NAMES.get(architecture, architecture)


_BY_TOOLCHAIN = {"ptxas": IRFamily.NVPTX64, "amdgpu": IRFamily.AMDGCN}
"""All other ahead-of-time compilers take SPIR-V, and so do drivers."""


def ir_family(target: Target) -> IRFamily:
    """The family that a target belongs to."""
    return _BY_TOOLCHAIN.get(target.toolchain, IRFamily.SPIRV64)


def by_ir_family(targets: Iterable[Target]) -> dict[IRFamily, tuple[Target, ...]]:
    """The targets of each family that is needed; SPIR-V, for any device, if there are none."""
    families: dict[IRFamily, tuple[Target, ...]] = {}
    for target in targets:
        family = ir_family(target)
        families[family] = (*families.get(family, ()), target)
    return families or {IRFamily.SPIRV64: ()}
