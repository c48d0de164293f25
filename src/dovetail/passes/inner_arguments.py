"""Give the parts of a kernel object that need a kernel argument of their own one each.

In: kernels whose object holds such parts, at offsets that the facts name: a `local_accessor` has to
be given memory that exists only while the kernel runs; a pointer whose class has properties for a
kernel's parameter has to be one. Out: for each of them a further parameter of the entry point, in
the order of the facts, stored into the object before anything reads it; the optimiser makes the
store vanish. The properties of parameters, old and new, are string attributes of theirs.

Drivers that take SPIR-V give an argument in local memory memory of its own. On NVIDIA's and AMD's
GPUs a launch has one array in local memory, whose size it says. There the parameters are offsets
into the array, and what is stored are addresses.
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
"""No type of SYCL's needs more."""


@dataclass(frozen=True)
class InnerArguments(ModulePass):
    """Parts of kernel objects get parameters."""

    name: ClassVar[str] = "inner-arguments"

    def apply(self, context: PassContext, module: Module) -> None:
        abi = abi_of(module)
        for kernel in context.facts.kernels:
            arguments = inner_arguments(kernel.parameters)
            if arguments:
                _add(module, kernel.entry_symbol, arguments, abi)
        attributes = {
            (kernel.entry_symbol, index): its
            for kernel in context.facts.kernels
            for index, its in _attributes(kernel)
        }
        if attributes:
            module.set_parameter_attributes(attributes)


def _add(module: Module, entry: str, arguments: list[InnerArgument], abi: DeviceABI) -> None:
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
    """The properties of the entry point's parameters, by their index there."""
    indices: dict[tuple[int, int | None], int] = {
        (each.parameter, each.place): each.number for each in inner_arguments(kernel.parameters)
    }
    for given in kernel.argument_attributes:
        yield indices.get((given.parameter, given.member), given.parameter), given.attributes
