"""Put what the front-end saw onto what it saw it on.

In: a module as clang wrote it, and its facts. Out: the same, with each property of a function or of
a global variable as a string attribute of the same name, where later passes and other tools look
for it; the names of all properties in `!sycl_properties`; and the name that a kernel's entry point
is to have. Parameters of kernels get theirs later (`inner-arguments`). A kernel has the properties
of its object's call operator, too. What only code reaches that clang leaves out, such as behind
`if (false)`, is not in the module. Runs first, since optimisation merges and removes functions that
the facts name.

Variables with properties are kept, as they are: whoever reads the properties may use them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dovetail.device_metadata import CONDITIONAL_CALLER, PROPERTIES
from dovetail.facts import ENTRY_ATTRIBUTE, VARIABLE_USER, Facts, KernelFact
from dovetail.ir import Module
from dovetail.passes.base import ModulePass, PassContext


@dataclass(frozen=True)
class AttachFacts(ModulePass):
    """Properties become attributes."""

    name: ClassVar[str] = "attach-facts"

    def apply(self, context: PassContext, module: Module) -> None:
        _attach_to_functions(module, context.facts)
        if context.facts.variables:
            _attach_to_variables(module, context.facts)
            _give_up_user(module)
        names = {name: None for given in _all_properties(context.facts) for name in given}
        names.pop(CONDITIONAL_CALLER, None)  # is not handed on, but acted upon
        module.set_named_metadata(PROPERTIES, [[name] for name in names])


def _attach_to_functions(module: Module, facts: Facts) -> None:
    attributes = {f.symbol: f.attributes for f in facts.functions if f.attributes}
    if attributes:
        there = {function.name for function in module.functions()}
        attributes = {name: its for name, its in attributes.items() if name in there}
    for kernel in facts.kernels:
        attributes[kernel.symbol] = {
            **kernel_attributes(kernel, facts),
            ENTRY_ATTRIBUTE: kernel.entry_symbol,
        }
    module.set_function_attributes(attributes)


def kernel_attributes(kernel: KernelFact, facts: Facts) -> dict[str, str]:
    """The properties of a kernel: its own, and those of its object's call operator."""
    if kernel.object_function is None:
        return kernel.attributes
    return {**facts.functions[kernel.object_function].attributes, **kernel.attributes}


def _attach_to_variables(module: Module, facts: Facts) -> None:
    there = {each.name: each.is_declaration for each in module.global_variables()}
    variables = [each for each in facts.variables if each.symbol in there]
    module.set_global_variable_attributes({each.symbol: each.attributes for each in variables})
    module.keep_variables([each.symbol for each in variables if not there[each.symbol]])


def _give_up_user(module: Module) -> None:
    """Let the optimiser remove what clang was given to get variables from it."""
    if VARIABLE_USER in (function.name for function in module.functions()):
        module.set_linkage({VARIABLE_USER: "internal"})


def _all_properties(facts: Facts) -> Iterator[dict[str, str]]:
    for function in facts.functions:
        yield function.attributes
    for kernel in facts.kernels:
        yield kernel.attributes
        for argument in kernel.argument_attributes:
            yield argument.attributes
    for variable in facts.variables:
        yield variable.attributes
