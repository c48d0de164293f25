"""Removes decorations and execution modes that drivers or the validator do not support.

The specification allows ignoring most decorations. But validators reject numbers that they do not
know, and drivers reject modules that declare a capability for them, or crash.
"""

from collections.abc import Callable

from dovetail.spirv._grammar import LATER_CAPABILITIES, LATER_DECORATIONS
from dovetail.spirv.edit import Edit
from dovetail.spirv.grammar import EnumerantRequirements, capability, decoration, execution_mode
from dovetail.spirv.module import SpirvModule
from dovetail.spirv.opcodes import (
    CAPABILITY,
    CONDITIONAL_CAPABILITY,
    CONDITIONAL_EXTENSION,
    DECORATE,
    DECORATE_ID,
    DECORATE_STRING,
    EXECUTION_MODE,
    EXECUTION_MODE_ID,
    EXTENSION,
    FUNCTION,
    MEMBER_DECORATE,
    MEMBER_DECORATE_STRING,
)
from dovetail.spirv.words import NEVER

HINT_CAPABILITIES = frozenset({5824, 5897, 5898, 5904, 5906, 5908, 5916, 5920, 6187, 6189})
"""Capabilities for hints: how to synthesise hardware for a kernel (FPGAs), and how the host
accesses a variable. No result depends on them, and drivers for CPUs and GPUs support none."""

_DECORATING: dict[int, tuple[int, Callable[[int], EnumerantRequirements | None]]] = {
    DECORATE: (2, decoration),
    DECORATE_ID: (2, decoration),
    DECORATE_STRING: (2, decoration),
    MEMBER_DECORATE: (3, decoration),
    MEMBER_DECORATE_STRING: (3, decoration),
    EXECUTION_MODE: (2, execution_mode),
    EXECUTION_MODE_ID: (2, execution_mode),
}
"""By opcode, the word with the number of a decoration or mode, and the look-up of requirements."""


def strip_hints(module: SpirvModule) -> SpirvModule:
    """Return the module without hints, for drivers that compile for CPUs and GPUs."""
    return _stripped(
        module,
        lambda number: number in HINT_CAPABILITIES,
        lambda _, needs: bool(
            needs and needs.capabilities and HINT_CAPABILITIES.issuperset(needs.capabilities)
        ),
    )


def strip_for_validator(module: SpirvModule) -> SpirvModule:
    """Return the module for a validator that supports what the grammar file defines."""

    def is_unknown(number: int, needs: EnumerantRequirements | None) -> bool:
        if needs is None or number in LATER_DECORATIONS:
            return True
        # Compilers used some before a version of SPIR-V defined them, without an extension.
        return module.version < needs.version < NEVER and not needs.extensions

    return _stripped(
        module,
        lambda number: number in LATER_CAPABILITIES or capability(number) is None,
        is_unknown,
    )


def _stripped(
    module: SpirvModule,
    is_unwanted_capability: Callable[[int], bool],
    is_unwanted: Callable[[int, EnumerantRequirements | None], bool],
) -> SpirvModule:
    """Return the module without unwanted capabilities and decorations, and their extensions."""
    edit = Edit(module)
    kept: set[str] = set()
    dropped: set[str] = set()
    extensions: dict[str, int] = {}
    for opcode, offset, _ in module.instructions():
        if opcode in (CAPABILITY, CONDITIONAL_CAPABILITY):
            number = module.operand(offset, 1 if opcode == CAPABILITY else 2)
            needs = capability(number)
            unwanted = is_unwanted_capability(number)
            (dropped if unwanted else kept).update(needs.extensions if needs else ())
            if unwanted:
                edit.remove(offset)
        elif opcode in (EXTENSION, CONDITIONAL_EXTENSION):
            extensions[module.string(offset, 1 if opcode == EXTENSION else 2)] = offset
        elif opcode in _DECORATING:
            word, requirements = _DECORATING[opcode]
            number = module.operand(offset, word)
            if is_unwanted(number, requirements(number)):
                edit.remove(offset)
        elif opcode == FUNCTION:
            break
    for name in dropped - kept:
        if name in extensions:
            edit.remove(extensions[name])
    return edit.apply()
