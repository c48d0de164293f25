"""What functions declare to use, in whichever inputs they do, kept over the link.

LLVM's linker drops a declaration, and what it promised, as soon as it has the definition; and it
renames internal functions whose names clash.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dovetail.device_metadata import declared_aspects
from dovetail.ir import Function, Module

INTERNAL = ("internal", "private")

_INPUT = "dovetail.input"
"""The metadata that says where an internal function is from while modules are linked."""


class Promise(NamedTuple):
    """What a function declares in one of the inputs."""

    input: str
    symbol: str
    """Its name there."""
    is_definition: bool
    aspects: int | None
    """As bits; None for a definition without an attribute, where a declaration has one."""


Promises = dict[str, tuple[Promise, ...]]
"""By the functions' names in the linked module."""


class DeclaredAspects(NamedTuple):
    """What the functions of one input declare, before it is linked."""

    module: Module
    functions: Sequence[Function]
    """All that it has."""
    aspects: dict[str, int]

    @classmethod
    def of(cls, module: Module, functions: Sequence[Function]) -> "DeclaredAspects":
        """`functions` are all that the module has."""
        return cls(module, functions, declared_aspects(module))

    def mark_internal(self, number: int) -> None:
        """Let internal functions be found again under other names."""
        # What the file itself has under that name is none of ours.
        self.module.set_function_metadata(
            _INPUT, dict.fromkeys(self.module.function_metadata(_INPUT))
        )
        self.module.set_function_metadata(
            _INPUT,
            {
                function.name: [number, function.name]
                for function in self.functions
                if function.name in self.aspects and function.linkage in INTERNAL
            },
        )


def promises_of(inputs: Sequence[DeclaredAspects]) -> Promises:
    """What functions declare that keep their names: all of them, if there is nothing to link."""
    promises: Promises = {}
    somewhere = {symbol for declared in inputs for symbol in declared.aspects}
    if not somewhere:
        return promises
    for declared in inputs:
        for function in declared.functions:
            symbol, aspects = function.name, declared.aspects.get(function.name)
            if symbol not in somewhere or (len(inputs) > 1 and function.linkage in INTERNAL):
                continue
            # A declaration without an attribute says nothing; a definition without one does.
            if aspects is not None or not function.is_declaration:
                promise = Promise(
                    declared.module.name, symbol, not function.is_declaration, aspects
                )
                promises[symbol] = (*promises.get(symbol, ()), promise)
    return promises


def marked_promises(linked: Module, inputs: Sequence[str]) -> Promises:
    """What internal functions declare, by the names that they have now."""
    marked = linked.function_metadata(_INPUT)
    if not marked:
        return {}
    declared = declared_aspects(linked)
    linked.set_function_metadata(_INPUT, dict.fromkeys(marked))
    promises: Promises = {}
    for symbol, node in marked.items():
        match node:
            case [int() as number, str() as name]:
                promises[symbol] = (Promise(inputs[number], name, True, declared[symbol]),)
            case _:
                raise AssertionError("only we write such metadata")
    return promises
