"""Give the parts of a kernel object that need a kernel argument of their own one each.

In: kernels whose object holds such parts, at offsets that the facts name: a `local_accessor` has to
be given memory that exists only while the kernel runs. Out: for each of them a further parameter of
the entry point, in the order of the facts, stored into the object before anything reads it; the
optimiser makes the store vanish.

Drivers that take SPIR-V give such an argument memory of its own. On NVIDIA's and AMD's GPUs a
launch has one array in local memory, whose size it says. There the parameters are offsets into the
array, and what is stored are addresses.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.facts import KernelFact
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext
from dovetail.passes.device_abi import LOCAL_ADDRESS_SPACE, abi_of

_LOCAL = "local"
"""The kind of member that needs an argument; others are filled in before the kernel starts."""
_POINTER = f"ptr addrspace({LOCAL_ADDRESS_SPACE})"

LOCAL_ARRAY = "__dovetail_local_memory"
_OFFSET = "i32"
_ALIGNMENT = 128
"""No type of SYCL's needs more."""


@dataclass(frozen=True)
class InnerArguments(ModulePass):
    """Parts of kernel objects get parameters."""

    name: ClassVar[str] = "inner-arguments"

    def apply(self, context: PassContext, module: Module) -> None:
        kernels = [kernel for kernel in context.facts.kernels if inner_places(kernel)]
        takes_pointers = abi_of(module).takes_local_pointers
        kind, array = (_POINTER, "") if takes_pointers else (_OFFSET, LOCAL_ARRAY)
        if kernels and array:
            module.declare_array(array, LOCAL_ADDRESS_SPACE, _ALIGNMENT)
        for kernel in kernels:
            entry, count, places = kernel.entry_symbol, len(kernel.parameters), inner_places(kernel)
            module.add_parameters(entry, [(kind, f"inner{n}") for n in range(len(places))])
            stores = [(count + n, index, offset) for n, (index, offset) in enumerate(places)]
            module.store_parameters(entry, stores, array)


def inner_places(kernel: KernelFact) -> list[tuple[int, int]]:
    """For each part: the parameter that holds it, and the offset in it."""
    return [
        (index, member.offset)
        for index, parameter in enumerate(kernel.parameters)
        for member in parameter.members
        if member.kind == _LOCAL
    ]
