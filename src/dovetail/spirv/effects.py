"""Which instructions of a function do nothing but compute a result."""

from dovetail.spirv.module import Module
from dovetail.spirv.opcodes import LOAD, VARIABLE

_UNDEF = 1
_EFFECTLESS = frozenset(
    (
        _UNDEF,
        VARIABLE,
        LOAD,
        *range(65, 71),  # addresses: access chains and the like
        *range(77, 85),  # parts of composites
        *range(109, 125),  # conversions
        *range(126, 206),  # arithmetic, comparisons, choices, bits
        *range(400, 404),  # copies, pointers compared
    )
)
_VOLATILE = 1
_LOAD_ACCESS = 4
"""The word of a load with the bits of its memory access, if it has them."""


def is_effectless(module: Module, at: int) -> bool:
    """Whether nothing but its result tells whether an instruction was executed."""
    opcode = module.opcode(at)
    if opcode == LOAD and module.end(at) - at > _LOAD_ACCESS:
        return not module.words[at + _LOAD_ACCESS] & _VOLATILE
    return opcode in _EFFECTLESS
