"""Checking that SPIR-V modules to be linked agree on the types of the functions they share.

A C++ symbol does not contain the return type, so the declaration in one source can differ from the
definition in another. Intel's CPU driver checks only parameters when it links, and crashes on
different return types.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dovetail.errors import FormatError, ProgramBuildError
from dovetail.runtime.demangle import demangled
from dovetail.spirv import SpirvModule
from dovetail.spirv.opcodes import (
    CONSTANT,
    DECORATE,
    FUNCTION,
    TYPE_ARRAY,
    TYPE_FLOAT,
    TYPE_FUNCTION,
    TYPE_INT,
    TYPE_POINTER,
    TYPE_STRUCT,
    TYPE_VECTOR,
)
from dovetail.spirv.words import bytes_of

_TYPES = range(19, 40)
_LINKAGE_ATTRIBUTES = 41
_IMPORT = 1


def refuse_mismatches(modules: Sequence[bytes]) -> None:
    """Raise `ProgramBuildError` if the definition of a function differs from an import."""
    shapes = _Shapes()
    shared = [_shared_functions(module, shapes) for module in modules]
    defined = {name: shape for functions in shared for name, shape in functions.defined.items()}
    for functions in shared:
        for name, shape in functions.imported.items():
            if defined.get(name, shape) != shape:
                raise ProgramBuildError(
                    f"the declaration of function '{demangled(name)}' has other types than its"
                    " definition",
                    hint="use the same types: the return type is not part of a C++ symbol",
                )


class _Shapes:
    """Numbers for types: the same for equal types in different modules."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, ...], int] = {}

    def number(self, *shape: int) -> int:
        return self._numbers.setdefault(shape, len(self._numbers))


@dataclass(frozen=True)
class _SharedFunctions:
    """By symbol, the shape of each function's type."""

    defined: dict[str, int] = field(default_factory=dict[str, int])
    imported: dict[str, int] = field(default_factory=dict[str, int])


def _shared_functions(spirv: bytes, shapes: _Shapes) -> _SharedFunctions:
    found = _SharedFunctions()
    linkage: dict[int, tuple[str, dict[str, int]]] = {}
    types: dict[int, int] = {}
    constants: dict[int, int] = {}
    try:
        module = SpirvModule.read(spirv)
        for opcode, offset, length in module.instructions():
            operands = module.words[offset + 1 : offset + length]
            if opcode == DECORATE and operands[1] == _LINKAGE_ATTRIBUTES:
                side = found.imported if operands[-1] == _IMPORT else found.defined
                linkage[operands[0]] = _symbol(operands[2:-1]), side
            elif opcode in _TYPES:
                types[operands[0]] = shapes.number(*_shape(opcode, operands, types, constants))
            elif opcode == CONSTANT:
                constants[operands[1]] = operands[2]
            elif opcode == FUNCTION and operands[1] in linkage:
                name, side = linkage[operands[1]]
                side[name] = types[operands[3]]
    except (FormatError, IndexError, KeyError):
        # The code is damaged; the driver reports that.
        return _SharedFunctions()
    return found


def _shape(
    opcode: int, operands: "array[int]", types: dict[int, int], constants: dict[int, int]
) -> Iterable[int]:
    """Return what distinguishes a type: inner types by number, without pointee types."""
    if opcode in (TYPE_INT, TYPE_FLOAT, TYPE_POINTER):
        return opcode, operands[1]
    if opcode == TYPE_VECTOR:
        return opcode, types[operands[1]], operands[2]
    if opcode == TYPE_ARRAY:
        return opcode, types[operands[1]], constants[operands[2]]
    if opcode in (TYPE_STRUCT, TYPE_FUNCTION):
        return opcode, *(types[inner] for inner in operands[1:])
    return (opcode,)


def _symbol(words: "array[int]") -> str:
    """Return a symbol, which may not be UTF-8."""
    return bytes_of(words).split(b"\0")[0].decode(errors="replace")
