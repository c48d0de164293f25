"""Add kernel parameters for members of kernel objects that must be separate arguments.

In: kernels whose objects have such members, at offsets given by the facts: a `local_accessor`
refers to memory that is allocated for a launch, and a pointer whose class has properties for kernel
parameters must be a parameter. Out: for each such member, an additional parameter of the entry
point, in the order of the facts, which is stored into the object on entry; the optimizer removes
the store. Properties become string attributes of the parameters, including the original ones.

Drivers for SPIR-V allocate local memory for each argument. On NVIDIA's and AMD's GPUs, a launch
specifies the size of one array in local memory. There the additional parameters are offsets into
the array, which are converted to addresses.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from dovetail.facts import KernelFact
from dovetail.ir import Module
from dovetail.kernel_info import GLOBAL_POINTER, LOCAL, POINTER, InnerArgument, inner_arguments
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import GLOBAL_ADDRESS_SPACE, LOCAL_ADDRESS_SPACE, DeviceABI, abi_of

_LOCAL_POINTER = f"ptr addrspace({LOCAL_ADDRESS_SPACE})"
_GLOBAL_POINTER = f"ptr addrspace({GLOBAL_ADDRESS_SPACE})"

LOCAL_ARRAY = "__dovetail_local_memory"
_OFFSET = "i32"
_ALIGNMENT = 128
"""The largest alignment of SYCL's types, in bytes."""


@dataclass(frozen=True)
class InnerArguments(ModulePass):
    """Add parameters for members of kernel objects."""

    name: ClassVar[str] = "inner-arguments"

    def apply(self, context: PassContext, module: Module) -> None:
        abi = abi_of(module)
        for kernel in context.facts.kernels:
            arguments = inner_arguments(kernel.parameters)
            if arguments:
                _add(module, kernel.entry_symbol, arguments, abi)
        attributes = {
            (kernel.entry_symbol, index): given
            for kernel in context.facts.kernels
            for index, given in _attributes(kernel)
        }
        if attributes:
            module.set_parameter_attributes(attributes)


def _add(module: Module, entry: str, arguments: list[InnerArgument], abi: DeviceABI) -> None:
    """Add a parameter for each inner argument, and code that stores it in the kernel object."""
    local, array = (_LOCAL_POINTER, "") if abi.takes_local_pointers else (_OFFSET, LOCAL_ARRAY)
    types = {LOCAL: local, POINTER: _GLOBAL_POINTER, GLOBAL_POINTER: _GLOBAL_POINTER}
    parameters = [(types[each.member.kind], f"inner{n}") for n, each in enumerate(arguments)]
    module.add_parameters(entry, parameters)
    if array and any(each.member.kind == LOCAL for each in arguments):
        module.declare_array(array, LOCAL_ADDRESS_SPACE, _ALIGNMENT)
        module.store_parameters(entry, _stores(arguments, LOCAL), array)
    else:
        module.store_parameters(entry, _stores(arguments, LOCAL))
    module.store_parameters(entry, _stores(arguments, POINTER), type=abi.generic_pointer)
    module.store_parameters(entry, _stores(arguments, GLOBAL_POINTER))


def _stores(arguments: Iterable[InnerArgument], kind: str) -> list[tuple[int, int, int]]:
    return [
        (each.number, each.parameter, each.member.offset)
        for each in arguments
        if each.member.kind == kind
    ]


def _attributes(kernel: KernelFact) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield the properties of the entry point's parameters, with the index of each."""
    indices: dict[tuple[int, int | None], int] = {
        (each.parameter, each.place): each.number for each in inner_arguments(kernel.parameters)
    }
    for given in kernel.argument_attributes:
        yield indices.get((given.parameter, given.member), given.parameter), given.attributes
