"""The decorations and execution modes of a device module, removed from its IR.

LLVM's back-end for SPIR-V supports some of them. But it crashes on strings in decorations of
parameters, does not declare the capabilities of many decorations, fails for others, and omits its
own execution modes if the module has some. So they are removed from the IR before, and added to the
SPIR-V after.
"""

from dataclasses import dataclass
from typing import Self

from dovetail.ir import Module
from dovetail.spirv_metadata import (
    Decoration,
    execution_modes,
    parameter_decorations,
    parse_annotation,
    set_execution_modes,
    set_parameter_decorations,
    set_variable_decorations,
    variable_decorations,
)

_ESCAPE_PREFIX = "dovetail:"
"""Prefix of an annotation's text, which makes LLVM emit the text unchanged."""


@dataclass(frozen=True)
class ModuleDecorations:
    """The decorations and execution modes of a module."""

    modes: list[tuple[str, Decoration]]
    parameters: dict[str, list[list[Decoration]]]
    variables: dict[str, list[Decoration]]
    annotations: dict[str, list[Decoration]]
    """By the text that LLVM emits."""

    @classmethod
    def extract_from(cls, module: Module) -> Self:
        """Remove the decorations and execution modes of an LLVM module and return them."""
        texts = {
            text: decorations
            for text in module.pointer_annotations()
            if (decorations := parse_annotation(text))
        }
        found = cls(
            execution_modes(module),
            parameter_decorations(module),
            variable_decorations(module),
            {_ESCAPE_PREFIX + text: found for text, found in texts.items()},
        )
        if found:
            set_execution_modes(module, [])
            set_parameter_decorations(module, {function: [] for function in found.parameters})
            set_variable_decorations(module, {variable: [] for variable in found.variables})
            module.set_pointer_annotations({text: _ESCAPE_PREFIX + text for text in texts})
        return found

    def __bool__(self) -> bool:
        return bool(self.modes or self.parameters or self.variables or self.annotations)
