"""The sizes of SPIR-V types in memory, in OpenCL's layout."""

from dovetail.spirv import SpirvModule
from dovetail.spirv.opcodes import (
    CONSTANT,
    DECORATE,
    TYPE_ARRAY,
    TYPE_BOOL,
    TYPE_FLOAT,
    TYPE_INT,
    TYPE_POINTER,
    TYPE_STRUCT,
    TYPE_VECTOR,
)

_PACKED = 10
"""The decoration `CPacked` of structures without padding."""
_POINTER_SIZE = 8
"""In bytes; also the size of opaque types such as events, which are handles in drivers."""


class TypeSizes:
    """The sizes and alignments of a module's types."""

    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._types: dict[int, int] = {}
        """The word offsets of types and constants, by id."""
        self._packed: set[int] = set()
        self._layouts: dict[int, tuple[int, int]] = {}

    def add(self, opcode: int, offset: int) -> None:
        """Record an instruction outside functions; call this for all of them in order."""
        if opcode == CONSTANT:
            self._types[self._module.operand(offset, 2)] = offset
        elif opcode == DECORATE:
            if self._module.operand(offset, 2) == _PACKED:
                self._packed.add(self._module.operand(offset, 1))
        elif TYPE_BOOL <= opcode <= TYPE_POINTER:
            self._types[self._module.operand(offset, 1)] = offset

    def pointee(self, pointer_type: int) -> int:
        """Return the size in bytes of a pointer type's pointee."""
        return self._layout(self._module.operand(self._types[pointer_type], 3))[0]

    def _layout(self, type_id: int) -> tuple[int, int]:
        """Return the size and alignment of a type."""
        if type_id not in self._layouts:
            self._layouts[type_id] = self._compute(type_id)
        return self._layouts[type_id]

    def _compute(self, type_id: int) -> tuple[int, int]:
        """Return size and alignment of a type in bytes; those of a pointer for unknown types."""
        module = self._module
        if type_id not in self._types:
            return _POINTER_SIZE, _POINTER_SIZE
        offset = self._types[type_id]
        match module.opcode(offset):
            case opcode if opcode in (TYPE_INT, TYPE_FLOAT):
                size = module.operand(offset, 2) // 8
                return size, size
            case opcode if opcode == TYPE_VECTOR:
                element, _ = self._layout(module.operand(offset, 2))
                # A vector of three elements has the size of one of four.
                size = element * (1 << (module.operand(offset, 3) - 1).bit_length())
                return size, size
            case opcode if opcode == TYPE_ARRAY:
                element, alignment = self._layout(module.operand(offset, 2))
                length = module.operand(self._types[module.operand(offset, 3)], 3)
                return element * length, alignment
            case opcode if opcode == TYPE_STRUCT:
                return self._structure(type_id, offset)
            case opcode if opcode == TYPE_BOOL:
                return 1, 1
            case _:
                return _POINTER_SIZE, _POINTER_SIZE

    def _structure(self, type_id: int, offset: int) -> tuple[int, int]:
        """Return size and alignment of a structure in bytes."""
        size, largest = 0, 1
        for word in range(offset + 2, self._module.end(offset)):
            member, alignment = self._layout(self._module.words[word])
            if type_id in self._packed:
                alignment = 1
            largest = max(largest, alignment)
            size = -(-size // alignment) * alignment + member
        return -(-size // largest) * largest, largest
