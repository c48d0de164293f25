"""Compare emitted functions with their IR, to detect miscompilations.

spirv-val checks whether a module is valid, not whether it matches the IR. LLVM's back-end has
declared variables too small, and moved divisions above the branch that guards them, both in valid
modules. So the sizes of each function's variables are compared, and the number of divisions and
loads in each basic block.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dovetail.codegen.spirv.type_sizes import TypeSizes
from dovetail.ir import FunctionShape
from dovetail.spirv import SpirvModule
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
"""Instructions in functions that matter for the comparison."""


@dataclass(slots=True)
class _EmittedFunction:
    """The shape of an emitted function."""

    variables: list[int] = field(default_factory=list[int])
    """Sizes in bytes."""
    blocks: list[list[int]] = field(default_factory=list[list[int]])
    """For each basic block, the numbers of divisions and loads."""


def shape_difference(shapes: Sequence[FunctionShape], code: bytes) -> str:
    """Return the first difference between emitted functions and their IR; empty if none."""
    emitted = _emitted_functions(SpirvModule.read(code))
    for shape in shapes:
        for difference in _differences(shape, emitted.get(shape.name)):
            return f"function '{shape.name}': {difference}"
    return ""


def _differences(shape: FunctionShape, emitted: _EmittedFunction | None) -> Iterator[str]:
    """Yield the ways in which an emitted function does not match the IR."""
    if emitted is None:
        yield "it is missing"
        return
    if len(shape.variables) != len(emitted.variables):
        yield f"expected {len(shape.variables)} variables, got {len(emitted.variables)}"
    sizes = zip(shape.variables, emitted.variables, strict=False)
    for number, (size, emitted_size) in enumerate(sizes):
        if emitted_size < size:
            yield f"expected {size} bytes for variable {number + 1}, got {emitted_size}"
    # The back-end reorders basic blocks, and expands copies into loops.
    same_blocks = len(shape.blocks) == len(emitted.blocks)
    if same_blocks and sorted(shape.blocks) != sorted(map(tuple, emitted.blocks)):
        yield "divisions or loads are in other basic blocks than in the IR"


def _emitted_functions(module: SpirvModule) -> dict[str, _EmittedFunction]:
    """Return the shapes of emitted functions, by name."""
    names: dict[int, tuple[int, int]] = {}
    """By id, the instruction with its name and the word of the name; decoded only if needed."""
    sizes = TypeSizes(module)
    inputs: set[int] = set()
    """Built-in variables; the IR has calls instead of loads from them."""
    found: dict[str, _EmittedFunction] = {}
    current: _EmittedFunction | None = None
    words = module.words
    for offset in module.starts:
        opcode = words[offset] & 0xFFFF
        if current is not None:
            # Most instructions are skipped after this one look-up.
            if opcode not in _COMPARED:
                continue
            if opcode == LABEL:
                current.blocks.append([0, 0])
            elif opcode == LOAD:
                current.blocks[-1][1] += words[offset + 3] not in inputs
            elif opcode == VARIABLE:
                current.variables.append(sizes.pointee(words[offset + 1]))
            elif opcode == FUNCTION_END:
                current = None
            else:
                current.blocks[-1][0] += 1
        elif opcode == FUNCTION:
            named = names.get(words[offset + 2])
            current = found[module.string(*named) if named else ""] = _EmittedFunction()
        elif opcode == ENTRY_POINT:
            names[words[offset + 2]] = (offset, 3)
        elif opcode == NAME:
            names.setdefault(words[offset + 1], (offset, 2))
        elif opcode == VARIABLE:
            if words[offset + 3] == _INPUT:
                inputs.add(words[offset + 2])
        else:
            sizes.add(opcode, offset)
    return found
