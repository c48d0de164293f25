"""Calling conventions and address spaces of kernels in each IR family."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dovetail.ir import Module
from dovetail.targets.ir_family import IRFamily, family_name

GLOBAL_ADDRESS_SPACE = 1
LOCAL_ADDRESS_SPACE = 3
"""The same for all families."""


@dataclass(frozen=True)
class DeviceABI:
    """How kernels of an IR family are called."""

    kernel_convention: str
    entry_types: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parameter types that differ in entry points, with their types there."""
    has_entry_points: bool = False
    """Whether clang generates the entry points of plain functions, instead of a pass."""
    takes_local_pointers: bool = True
    """Whether a launch can allocate local memory for each argument. Otherwise there is one array,
    and arguments are offsets into it."""
    generic_address_space: int = 0

    @property
    def generic_pointer(self) -> str:
        """The type of a pointer to any address space."""
        space = self.generic_address_space
        return f"ptr addrspace({space})" if space else "ptr"


_BY_FAMILY = {
    # Kernel arguments can be pointers to global memory, but not generic pointers or booleans.
    IRFamily.SPIRV64: DeviceABI(
        "spir_kernel",
        {"ptr addrspace(4)": "ptr addrspace(1)", "i1": "i8"},
        generic_address_space=4,
    ),
    # LLVM's back-ends infer that pointer arguments of kernels point to global memory.
    IRFamily.NVPTX64: DeviceABI("ptx_kernel", {"i1": "i8"}, takes_local_pointers=False),
    IRFamily.AMDGCN: DeviceABI("amdgpu_kernel", has_entry_points=True, takes_local_pointers=False),
}


def abi_of(module: Module) -> DeviceABI:
    """Return the ABI of the module's IR family; that of SPIR-V for an unknown triple."""
    name = family_name(module.triple)
    return next((abi for family, abi in _BY_FAMILY.items() if family == name), _OTHERS)


_OTHERS = _BY_FAMILY[IRFamily.SPIRV64]
