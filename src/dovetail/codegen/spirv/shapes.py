"""Hold emitted functions against the IR they were made from.

The validator knows whether a module is valid, not whether it is what the IR says. LLVM's back-end
has declared variables smaller than they are, and moved divisions in front of the branch that guards
them, both in valid modules. So for each function the sizes of its variables are compared, and how
many divisions and loads there are in each basic block.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dovetail.codegen.spirv.type_sizes import TypeSizes
from dovetail.ir import FunctionShape
from dovetail.spirv import Module
from dovetail.spirv.opcodes import (
    ENTRY_POINT,
    FUNCTION,
    FUNCTION_END,
    LABEL,
    LOAD,
    NAME,
    S_DIV,
    S_MOD,
    S_REM,
    U_DIV,
    U_MOD,
    VARIABLE,
)

_INPUT = 1
"""The storage class of built-in variables."""

_COMPARED = frozenset((LABEL, LOAD, VARIABLE, FUNCTION_END, U_DIV, S_DIV, U_MOD, S_REM, S_MOD))
"""Instructions of functions that are compared: besides these four, divisions."""


@dataclass(slots=True)
class _Emitted:
    """What became of a function."""

    variables: list[int] = field(default_factory=list[int])
    """Their sizes."""
    blocks: list[list[int]] = field(default_factory=list[list[int]])
    """Divisions and loads."""


def difference_from(shapes: Sequence[FunctionShape], code: bytes) -> str:
    """In what way emitted functions differ from their IR; empty if they do not."""
    emitted = _emitted_functions(Module.read(code))
    for shape in shapes:
        for difference in _differences(shape, emitted.get(shape.name)):
            return f"function '{shape.name}': {difference}"
    return ""


def _differences(shape: FunctionShape, emitted: _Emitted | None) -> Iterator[str]:
    if emitted is None:
        yield "it is missing"
        return
    if len(shape.variables) != len(emitted.variables):
        yield f"it has {len(emitted.variables)} variables instead of {len(shape.variables)}"
    for number, (size, made) in enumerate(zip(shape.variables, emitted.variables, strict=False)):
        if made < size:
            yield f"variable {number + 1} has {made} bytes instead of {size}"
    # Basic blocks stand in another order there, and copies of any length become loops.
    same_blocks = len(shape.blocks) == len(emitted.blocks)
    if same_blocks and sorted(shape.blocks) != sorted(map(tuple, emitted.blocks)):
        yield "divisions or loads are not in the basic blocks in which they are in the IR"


def _emitted_functions(module: Module) -> dict[str, _Emitted]:
    """By name."""
    names: dict[int, tuple[int, int]] = {}
    """Where each id has its name, and the number of the word there. Most are those of values."""
    sizes = TypeSizes(module)
    inputs: set[int] = set()
    """Variables outside of functions: what is read from them stands in the IR as calls."""
    found: dict[str, _Emitted] = {}
    current: _Emitted | None = None
    words = module.words
    for at in module.starts:
        opcode = words[at] & 0xFFFF
        if current is not None:
            # Most instructions are none of these: one look-up tells.
            if opcode not in _COMPARED:
                continue
            if opcode == LABEL:
                current.blocks.append([0, 0])
            elif opcode == LOAD:
                current.blocks[-1][1] += words[at + 3] not in inputs
            elif opcode == VARIABLE:
                current.variables.append(sizes.pointee(words[at + 1]))
            elif opcode == FUNCTION_END:
                current = None
            else:
                current.blocks[-1][0] += 1
        elif opcode == FUNCTION:
            named = names.get(words[at + 2])
            current = found[module.string(*named) if named else ""] = _Emitted()
        elif opcode == ENTRY_POINT:
            names[words[at + 2]] = (at, 3)
        elif opcode == NAME:
            names.setdefault(words[at + 1], (at, 2))
        elif opcode == VARIABLE:
            if words[at + 3] == _INPUT:
                inputs.add(words[at + 2])
        else:
            sizes.note(opcode, at)
    return found
