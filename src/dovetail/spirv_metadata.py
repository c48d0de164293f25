"""Decorations and execution modes of SPIR-V in device modules.

    !spirv.ExecutionMode = !{!{ptr @kernel, i32 MODE, i32 OPERAND...}, ...}
    define ... @kernel(...) !spirv.ParameterDecorations !{!{!{i32 DECORATION, ...}, ...}, ...}
    @variable = ... !spirv.Decorations !{!{i32 DECORATION, OPERAND...}, ...}

Operands of decorations are integers and strings. The decorations of a pointer are the text of an
annotation: `{44:"16"}{7744:"any text"}`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dovetail.errors import IRError
from dovetail.ir import Integer, Module

PARAMETERS = "spirv.ParameterDecorations"
VARIABLES = "spirv.Decorations"

MetadataOperand = int | Integer | str | Sequence["MetadataOperand"] | None

_WORD = 1 << 32
_DECORATION = re.compile(r'\{([0-9]{1,10})(?::"((?:[^"\\]|\\.)*)")?\}', re.DOTALL)
_INTEGERS = re.compile(r"-?[0-9]{1,10}(?:,-?[0-9]{1,10})*")


class Decoration(NamedTuple):
    """A decoration or an execution mode."""

    number: int
    operands: tuple[int | str, ...] = ()


def parse_operands(value: str) -> tuple[int | str, ...]:
    """Return the operands in a text: a list of 32-bit integers, or a string."""
    if not value:
        return ()
    if _INTEGERS.fullmatch(value):
        numbers = [int(part) for part in value.split(",")]
        if all(-_WORD // 2 <= number < _WORD for number in numbers):
            return tuple(number % _WORD for number in numbers)
    return (value,)


def execution_modes(module: Module) -> list[tuple[str, Decoration]]:
    """Return pairs of a kernel and an execution mode."""
    return [(kernel, _decoration(node, module)) for kernel, node in module.execution_modes()]


def set_execution_modes(module: Module, modes: Iterable[tuple[str, Decoration]]) -> None:
    """Replace all execution modes of a module."""
    module.set_execution_modes([(kernel, _node(mode)) for kernel, mode in modes])


def parameter_decorations(module: Module) -> dict[str, list[list[Decoration]]]:
    """Return a list of decorations for each parameter of each function."""
    return {
        function: [_decorations(each, module) for each in node]
        for function, node in module.function_metadata(PARAMETERS).items()
    }


def set_parameter_decorations(
    module: Module, decorations: Mapping[str, Sequence[Sequence[Decoration]]]
) -> None:
    """Replace the decorations of these functions' parameters; an empty list removes all."""
    module.set_function_metadata(
        PARAMETERS,
        {
            function: [[_node(each) for each in parameter] for parameter in parameters] or None
            for function, parameters in decorations.items()
        },
    )


def variable_decorations(module: Module) -> dict[str, list[Decoration]]:
    """Return the decorations of each global variable."""
    nodes = module.global_variable_metadata(VARIABLES)
    return {variable: _decorations(node, module) for variable, node in nodes.items()}


def set_variable_decorations(
    module: Module, decorations: Mapping[str, Sequence[Decoration]]
) -> None:
    """Replace the decorations of these variables; an empty list removes all."""
    module.set_global_variable_metadata(
        VARIABLES,
        {
            variable: [_node(each) for each in listed] or None
            for variable, listed in decorations.items()
        },
    )


def format_annotation(decorations: Iterable[Decoration]) -> str:
    """Return the annotation text for decorations."""
    return "".join(f"{{{each.number}{_quoted(each.operands)}}}" for each in decorations)


def parse_annotation(text: str) -> list[Decoration] | None:
    """Return the decorations in an annotation text, or None if it has another form."""
    found: list[Decoration] = []
    end = 0
    for match in _DECORATION.finditer(text):
        if match.start() != end or int(match[1]) >= _WORD:
            return None
        end = match.end()
        value = re.sub(r"\\(.)", r"\1", match[2] or "", flags=re.DOTALL)
        found.append(Decoration(int(match[1]), parse_operands(value)))
    return found if found and end == len(text) else None


def _quoted(operands: Sequence[int | str]) -> str:
    if not operands:
        return ""
    text = ",".join(map(str, operands))
    return ':"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _node(decoration: Decoration) -> list[int | str]:
    return [decoration.number, *decoration.operands]


def _decorations(nodes: MetadataOperand, module: Module) -> list[Decoration]:
    if isinstance(nodes, str) or not isinstance(nodes, Sequence):
        raise _malformed(module)
    return [_decoration(node, module) for node in nodes]


def _decoration(node: MetadataOperand, module: Module) -> Decoration:
    if isinstance(node, str) or not isinstance(node, Sequence) or not node:
        raise _malformed(module)
    number, *operands = (_operand(each, module) for each in node)
    if isinstance(number, str):
        raise _malformed(module)
    return Decoration(number, tuple(operands))


def _operand(operand: MetadataOperand, module: Module) -> int | str:
    if isinstance(operand, str):
        return operand
    if isinstance(operand, int | Integer):
        return int(operand) % _WORD
    raise _malformed(module)


def _malformed(module: Module) -> IRError:
    return IRError(
        f"{module.name}: a decoration or execution mode for SPIR-V does not consist of a number"
        " followed by integers and strings"
    )
