"""Modules without decorations and execution modes that a reader of theirs could not take.

Whoever does not know a decoration may ignore it, says SPIR-V's specification of most; but
validators know no number that is newer than they are, and drivers refuse, or crash over, what
declares a capability for it.
"""

from collections.abc import Callable

from dovetail.spirv._grammar import LATER_CAPABILITIES, LATER_DECORATIONS
from dovetail.spirv.edit import Edit
from dovetail.spirv.grammar import EnumerantNeeds, capability, decoration, execution_mode
from dovetail.spirv.module import Module
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

ADVICE = frozenset({5824, 5897, 5898, 5904, 5906, 5908, 5916, 5920, 6187, 6189})
"""Capabilities of decorations and execution modes that say how hardware is to be made of a kernel,
or who reads a variable. No result depends on them, and drivers of CPUs and GPUs know none."""

_PLACES: dict[int, tuple[int, Callable[[int], EnumerantNeeds | None]]] = {
    DECORATE: (2, decoration),
    DECORATE_ID: (2, decoration),
    DECORATE_STRING: (2, decoration),
    MEMBER_DECORATE: (3, decoration),
    MEMBER_DECORATE_STRING: (3, decoration),
    EXECUTION_MODE: (2, execution_mode),
    EXECUTION_MODE_ID: (2, execution_mode),
}
"""Where instructions have the number of what they give, and who knows of it."""


def without_advice(module: Module) -> Module:
    """The module for a driver that compiles for a CPU or GPU."""
    return _reduced(
        module,
        lambda number: number in ADVICE,
        lambda _, needs: bool(
            needs and needs.capabilities and ADVICE.issuperset(needs.capabilities)
        ),
    )


def for_validator(module: Module) -> Module:
    """The module for a validator that knows what the grammar file knows."""

    def is_unknown(number: int, needs: EnumerantNeeds | None) -> bool:
        if needs is None or number in LATER_DECORATIONS:
            return True
        # Compilers wrote some before a version of SPIR-V had them, and no extension has them.
        return module.version < needs.version < NEVER and not needs.extensions

    return _reduced(
        module,
        lambda number: number in LATER_CAPABILITIES or capability(number) is None,
        is_unknown,
    )


def _reduced(
    module: Module,
    is_unwanted_capability: Callable[[int], bool],
    is_unwanted: Callable[[int, EnumerantNeeds | None], bool],
) -> Module:
    edit = Edit(module)
    kept: set[str] = set()
    dropped: set[str] = set()
    extensions: dict[str, int] = {}
    for opcode, at, _ in module.instructions():
        if opcode in (CAPABILITY, CONDITIONAL_CAPABILITY):
            number = module.operand(at, 1 if opcode == CAPABILITY else 2)
            needs = capability(number)
            unwanted = is_unwanted_capability(number)
            (dropped if unwanted else kept).update(needs.extensions if needs else ())
            if unwanted:
                edit.remove(at)
        elif opcode in (EXTENSION, CONDITIONAL_EXTENSION):
            extensions[module.string(at, 1 if opcode == EXTENSION else 2)] = at
        elif opcode in _PLACES:
            place, known = _PLACES[opcode]
            number = module.operand(at, place)
            if is_unwanted(number, known(number)):
                edit.remove(at)
        elif opcode == FUNCTION:
            break
    for name in dropped - kept:
        if name in extensions:
            edit.remove(extensions[name])
    return edit.done()
