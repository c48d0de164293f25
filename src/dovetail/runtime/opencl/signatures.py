"""Whether SPIR-V modules that are linked agree on the types of the functions they share.

A C++ symbol does not tell what a function returns, so a source can declare one thing and another
source define another. Intel's CPU driver looks at parameters alone when it links, and ends the
process over what is returned.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dovetail.errors import ProgramBuildError
from dovetail.runtime.demangle import demangled

_HEADER_WORDS = 5

# Opcodes, from SPIR-V's specification.
_TYPE_INT = 21
_TYPE_FLOAT = 22
_TYPE_VECTOR = 23
_TYPE_ARRAY = 28
_TYPE_STRUCT = 30
_TYPE_POINTER = 32
_TYPE_FUNCTION = 33
_TYPES = range(19, 40)
_CONSTANT = 43
_FUNCTION = 54
_DECORATE = 71

_LINKAGE_ATTRIBUTES = 41
_IMPORT = 1


def refuse_mismatches(modules: Sequence[bytes]) -> None:
    """Raise `ProgramBuildError` if a function is defined with another type than is imported."""
    shapes = _Shapes()
    shared = [_shared_functions(module, shapes) for module in modules]
    defined = {name: shape for each in shared for name, shape in each.defined.items()}
    for each in shared:
        for name, shape in each.imported.items():
            if defined.get(name, shape) != shape:
                raise ProgramBuildError(
                    f"the function '{demangled(name)}' is declared with other types than it is"
                    " defined with",
                    hint="make the declarations alike: what it returns is no part of a C++ symbol",
                )


class _Shapes:
    """Numbers for types, equal for types that look the same whichever module they are in."""

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
        for opcode, operands in _instructions(spirv):
            if opcode == _DECORATE and operands[1] == _LINKAGE_ATTRIBUTES:
                side = found.imported if operands[-1] == _IMPORT else found.defined
                linkage[operands[0]] = _text(operands[2:-1]), side
            elif opcode in _TYPES:
                types[operands[0]] = shapes.number(*_shape(opcode, operands, types, constants))
            elif opcode == _CONSTANT:
                constants[operands[1]] = operands[2]
            elif opcode == _FUNCTION and operands[1] in linkage:
                name, side = linkage[operands[1]]
                side[name] = types[operands[3]]
    except (IndexError, KeyError):
        # The code is damaged; what to say about that is the driver's business.
        return _SharedFunctions()
    return found


def _shape(
    opcode: int, operands: Sequence[int], types: dict[int, int], constants: dict[int, int]
) -> Iterable[int]:
    """What tells a type from others; inner types by number, and what pointers point to left out."""
    if opcode in (_TYPE_INT, _TYPE_FLOAT, _TYPE_POINTER):
        return opcode, operands[1]
    if opcode == _TYPE_VECTOR:
        return opcode, types[operands[1]], operands[2]
    if opcode == _TYPE_ARRAY:
        return opcode, types[operands[1]], constants[operands[2]]
    if opcode in (_TYPE_STRUCT, _TYPE_FUNCTION):
        return opcode, *(types[inner] for inner in operands[1:])
    return (opcode,)


def _instructions(spirv: bytes) -> Iterator[tuple[int, "memoryview[int]"]]:
    words = memoryview(spirv)[: len(spirv) // 4 * 4].cast("I")
    place = _HEADER_WORDS
    while place < len(words):
        count, opcode = words[place] >> 16, words[place] & 0xFFFF
        yield opcode, words[place + 1 : place + count]
        place += max(count, 1)


def _text(words: "memoryview[int]") -> str:
    return words.tobytes().split(b"\0")[0].decode(errors="replace")
