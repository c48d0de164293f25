"""How kernels of each family are entered: what differs between the families' passes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dovetail.ir import Module
from dovetail.targets.ir_family import IRFamily, family_name

GLOBAL_ADDRESS_SPACE = 1
LOCAL_ADDRESS_SPACE = 3
"""These are the same for all families."""


@dataclass(frozen=True)
class DeviceABI:
    """What a device expects of the functions that it starts."""

    kernel_convention: str
    entry_types: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a parameter of a device function becomes in an entry point; others stay."""
    has_entry_points: bool = False
    """Whether clang makes the entry points of plain functions, rather than a pass."""
    takes_local_pointers: bool = True
    """Whether an argument can be local memory of a size; else there is one array for all of it, and
    arguments are offsets into that."""
    generic_pointer: str = "ptr"
    """What a pointer to any memory is in IR."""


_BY_FAMILY = {
    # Drivers hand over pointers to global memory, and no booleans.
    IRFamily.SPIRV64: DeviceABI(
        "spir_kernel",
        {"ptr addrspace(4)": "ptr addrspace(1)", "i1": "i8"},
        generic_pointer="ptr addrspace(4)",
    ),
    # LLVM's back-ends find out themselves that pointers in kernels' arguments are to global memory.
    IRFamily.NVPTX64: DeviceABI("ptx_kernel", {"i1": "i8"}, takes_local_pointers=False),
    IRFamily.AMDGCN: DeviceABI("amdgpu_kernel", has_entry_points=True, takes_local_pointers=False),
}


def abi_of(module: Module) -> DeviceABI:
    """That of the module's family; SPIR-V's, if it does not name one of ours."""
    name = family_name(module.triple)
    return next((abi for family, abi in _BY_FAMILY.items() if family == name), _OTHERS)


_OTHERS = _BY_FAMILY[IRFamily.SPIRV64]
