"""Decorations and execution modes of SPIR-V, as device modules carry them.

    !spirv.ExecutionMode = !{!{ptr @kernel, i32 MODE, i32 OPERAND...}, ...}
    define ... @kernel(...) !spirv.ParameterDecorations !{!{!{i32 DECORATION, ...}, ...}, ...}
    @variable = ... !spirv.Decorations !{!{i32 DECORATION, OPERAND...}, ...}

Operands of decorations are integers and strings. What is known of a pointer stands in the text of
an annotation, a decoration behind the other: `{44:"16"}{7744:"any text"}`.
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


def operands_of(value: str) -> tuple[int | str, ...]:
    """What a text stands for: a list of integers of 32 bits, or a string."""
    if not value:
        return ()
    if _INTEGERS.fullmatch(value):
        numbers = [int(part) for part in value.split(",")]
        if all(-_WORD // 2 <= number < _WORD for number in numbers):
            return tuple(number % _WORD for number in numbers)
    return (value,)


def execution_modes(module: Module) -> list[tuple[str, Decoration]]:
    """By kernel."""
    return [(kernel, _decoration(node, module)) for kernel, node in module.execution_modes()]


def set_execution_modes(module: Module, modes: Iterable[tuple[str, Decoration]]) -> None:
    """In place of all that there are."""
    module.set_execution_modes([(kernel, _node(mode)) for kernel, mode in modes])


def parameter_decorations(module: Module) -> dict[str, list[list[Decoration]]]:
    """By function, a list for each parameter."""
    return {
        function: [_decorations(each, module) for each in node]
        for function, node in module.function_metadata(PARAMETERS).items()
    }


def set_parameter_decorations(
    module: Module, decorations: Mapping[str, Sequence[Sequence[Decoration]]]
) -> None:
    """Of these functions; no list takes them away."""
    module.set_function_metadata(
        PARAMETERS,
        {
            function: [[_node(each) for each in parameter] for parameter in parameters] or None
            for function, parameters in decorations.items()
        },
    )


def variable_decorations(module: Module) -> dict[str, list[Decoration]]:
    """By global variable."""
    nodes = module.global_variable_metadata(VARIABLES)
    return {variable: _decorations(node, module) for variable, node in nodes.items()}


def set_variable_decorations(
    module: Module, decorations: Mapping[str, Sequence[Decoration]]
) -> None:
    """Of these variables; no list takes them away."""
    module.set_global_variable_metadata(
        VARIABLES,
        {
            variable: [_node(each) for each in listed] or None
            for variable, listed in decorations.items()
        },
    )


def annotation_text(decorations: Iterable[Decoration]) -> str:
    """The text of an annotation that stands for decorations."""
    return "".join(f"{{{each.number}{_quoted(each.operands)}}}" for each in decorations)


def annotated(text: str) -> list[Decoration] | None:
    """The decorations that the text of an annotation stands for; None if it is some other text."""
    found: list[Decoration] = []
    end = 0
    for match in _DECORATION.finditer(text):
        if match.start() != end or int(match[1]) >= _WORD:
            return None
        end = match.end()
        value = re.sub(r"\\(.)", r"\1", match[2] or "", flags=re.DOTALL)
        found.append(Decoration(int(match[1]), operands_of(value)))
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
        f"{module.name}: a decoration or execution mode for SPIR-V does not have a number, and"
        " integers and strings behind it"
    )
