"""Give the parts of a kernel object that need a kernel argument of their own one each.

In: kernels whose object holds such parts, at offsets that the facts name: a `local_accessor` has to
be given memory that exists only while the kernel runs. Out: for each of them a further parameter of
the entry point, in the order of the facts, stored into the object before anything reads it; the
optimiser makes the store vanish.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.facts import KernelFact
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext

_TYPES = {"local": "ptr addrspace(3)"}
"""The kinds of member that need an argument; others are filled in before the kernel starts."""


@dataclass(frozen=True)
class InnerArguments(ModulePass):
    """Parts of kernel objects get parameters."""

    name: ClassVar[str] = "inner-arguments"

    def apply(self, context: PassContext, module: Module) -> None:
        for kernel in context.facts.kernels:
            places = inner_places(kernel)
            if not places:
                continue
            count = len(kernel.parameters)
            module.add_parameters(
                kernel.entry_symbol,
                [(type_text, f"inner{n}") for n, (_, _, type_text) in enumerate(places)],
            )
            module.store_parameters(
                kernel.entry_symbol,
                [(count + n, index, offset) for n, (index, offset, _) in enumerate(places)],
            )


def inner_places(kernel: KernelFact) -> list[tuple[int, int, str]]:
    """For each part: the parameter that holds it, the offset in it, and the type to be stored."""
    return [
        (index, member.offset, _TYPES[member.kind])
        for index, parameter in enumerate(kernel.parameters)
        for member in parameter.members
        if member.kind in _TYPES
    ]
