"""Put what the front-end saw onto the functions it saw it on.

In: a module as clang wrote it, and its facts. Out: the same, with each property of a function as a
string attribute of the same name, where later passes and other tools look for it, and the name that
a kernel's entry point is to have. What only code reaches that clang leaves out, such as behind
`if (false)`, is not in the module. Runs first, since optimisation merges and removes functions that
the facts name.
"""

from dataclasses import dataclass
from typing import ClassVar

from dovetail.facts import ENTRY_ATTRIBUTE
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext


@dataclass(frozen=True)
class AttachFacts(ModulePass):
    """Properties of functions become attributes."""

    name: ClassVar[str] = "attach-facts"

    def apply(self, context: PassContext, module: Module) -> None:
        facts = context.facts
        attributes = {f.symbol: f.attributes for f in facts.functions if f.attributes}
        if attributes:
            there = {function.name for function in module.functions()}
            attributes = {name: its for name, its in attributes.items() if name in there}
        for kernel in facts.kernels:
            attributes[kernel.symbol] = {
                **kernel.attributes,
                ENTRY_ATTRIBUTE: kernel.entry_symbol,
            }
        module.set_function_attributes(attributes)
