"""The aspects that functions declare in all inputs, preserved when modules are linked.

LLVM's linker drops the metadata of a declaration if there is a definition, and renames internal
functions whose names clash.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dovetail.device_metadata import declared_aspects
from dovetail.ir import Function, Module

INTERNAL = ("internal", "private")

_INPUT = "dovetail.input"
"""The temporary metadata with the input and original name of an internal function."""


class AspectDeclaration(NamedTuple):
    """The aspects that a function declares in one input."""

    input: str
    symbol: str
    """Its symbol in the input."""
    is_definition: bool
    aspects: int | None
    """The aspects as bits; None for a definition that declares none, unlike a declaration."""


AspectDeclarations = dict[str, tuple[AspectDeclaration, ...]]
"""Declarations by the function's symbol in the linked module."""


class InputDeclarations(NamedTuple):
    """The aspects that the functions of an input declare, before it is linked."""

    module: Module
    functions: Sequence[Function]
    aspects: dict[str, int]

    @classmethod
    def of(cls, module: Module, functions: Sequence[Function]) -> "InputDeclarations":
        """Return the declarations of a module with these functions."""
        return cls(module, functions, declared_aspects(module))

    def mark_internal(self, number: int) -> None:
        """Attach metadata by which internal functions can be found after renaming."""
        # The input may contain metadata of that name.
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


def declarations_in(inputs: Sequence[InputDeclarations]) -> AspectDeclarations:
    """Return the declarations of functions that keep their symbols when linked.

    These are all functions if there is only one input.
    """
    declarations: AspectDeclarations = {}
    somewhere = {symbol for declared in inputs for symbol in declared.aspects}
    if not somewhere:
        return declarations
    for declared in inputs:
        for function in declared.functions:
            symbol, aspects = function.name, declared.aspects.get(function.name)
            if symbol not in somewhere or (len(inputs) > 1 and function.linkage in INTERNAL):
                continue
            # Only a definition without an attribute is compared with other declarations.
            if aspects is not None or not function.is_declaration:
                promise = AspectDeclaration(
                    declared.module.name, symbol, not function.is_declaration, aspects
                )
                declarations[symbol] = (*declarations.get(symbol, ()), promise)
    return declarations


def internal_declarations(linked: Module, inputs: Sequence[str]) -> AspectDeclarations:
    """Return the declarations of internal functions by their symbols in the linked module."""
    marked = linked.function_metadata(_INPUT)
    if not marked:
        return {}
    declared = declared_aspects(linked)
    linked.set_function_metadata(_INPUT, dict.fromkeys(marked))
    declarations: AspectDeclarations = {}
    for symbol, node in marked.items():
        match node:
            case [int() as number, str() as name]:
                declarations[symbol] = (
                    AspectDeclaration(inputs[number], name, True, declared[symbol]),
                )
            case _:
                raise AssertionError(f"unexpected !{_INPUT}")
    return declarations
