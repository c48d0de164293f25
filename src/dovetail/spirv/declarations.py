"""Adds the capabilities and extensions that an edit's additions require."""

from dovetail.spirv.edit import Edit
from dovetail.spirv.grammar import EnumerantRequirements, capability
from dovetail.spirv.module import SpirvModule
from dovetail.spirv.opcodes import CAPABILITY, EXTENSION


class Declarations:
    """The declared capabilities and extensions of a module that is being edited."""

    def __init__(self, module: SpirvModule, edit: Edit) -> None:
        self._edit = edit
        self._version = module.version
        self._capabilities: set[int] = set()
        self._extensions: set[str] = set()
        for opcode, offset, _ in module.instructions():
            if opcode == CAPABILITY:
                self._capabilities |= implied_capabilities(module.operand(offset, 1))
            elif opcode == EXTENSION:
                self._extensions.add(module.string(offset, 1))
            else:
                break

    def require(self, requirements: EnumerantRequirements | None) -> None:
        """Declare requirements that are not declared yet; None means an unknown enumerant."""
        if requirements is None:
            return
        choices = requirements.capabilities
        if choices and self._capabilities.isdisjoint(choices):
            # Of several capabilities, the one that implies the fewest others.
            self._declare(min(choices, key=lambda each: len(implied_capabilities(each))))
        self._require_extension(requirements)

    def _declare(self, number: int) -> None:
        """Declare a capability, and an extension that it requires."""
        self._edit.add(CAPABILITY, number)
        self._capabilities |= implied_capabilities(number)
        requirements = capability(number)
        if requirements is not None:
            self._require_extension(requirements)

    def _require_extension(self, requirements: EnumerantRequirements) -> None:
        """Declare an extension, unless the version or a declared one is enough."""
        is_core = self._version >= requirements.version
        choices = requirements.extensions
        if choices and not is_core and self._extensions.isdisjoint(choices):
            self._edit.add(EXTENSION, choices[0])
            self._extensions.add(choices[0])


def implied_capabilities(number: int) -> set[int]:
    """Return a capability and all that it implicitly declares."""
    found: set[int] = set()
    pending = [number]
    while pending:
        each = pending.pop()
        if each not in found:
            found.add(each)
            requirements = capability(each)
            pending += requirements.capabilities if requirements else ()
    return found
