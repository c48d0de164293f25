"""What a module has to declare for what is added to it."""

from dovetail.spirv.edit import Edit
from dovetail.spirv.grammar import EnumerantNeeds, capability
from dovetail.spirv.module import Module
from dovetail.spirv.opcodes import CAPABILITY, EXTENSION


class Declarations:
    """The capabilities and extensions of a module, which grow with what an edit adds."""

    def __init__(self, module: Module, edit: Edit) -> None:
        self._edit = edit
        self._version = module.version
        self._capabilities: set[int] = set()
        self._extensions: set[str] = set()
        for opcode, at, _ in module.instructions():
            if opcode == CAPABILITY:
                self._capabilities |= brought_by(module.operand(at, 1))
            elif opcode == EXTENSION:
                self._extensions.add(module.string(at, 1))
            else:
                break

    def require(self, needs: EnumerantNeeds | None) -> None:
        """Declare what something needs; nothing, if nobody knows what that is."""
        if needs is None:
            return
        if needs.capabilities and self._capabilities.isdisjoint(needs.capabilities):
            # Of several, the one that brings least along.
            self._declare(min(needs.capabilities, key=lambda each: len(brought_by(each))))
        self._require_extension(needs)

    def _declare(self, number: int) -> None:
        self._edit.add(CAPABILITY, number)
        self._capabilities |= brought_by(number)
        needs = capability(number)
        if needs is not None:
            self._require_extension(needs)

    def _require_extension(self, needs: EnumerantNeeds) -> None:
        is_core = self._version >= needs.version
        if needs.extensions and not is_core and self._extensions.isdisjoint(needs.extensions):
            self._edit.add(EXTENSION, needs.extensions[0])
            self._extensions.add(needs.extensions[0])


def brought_by(number: int) -> set[int]:
    """A capability and all that it brings along."""
    found: set[int] = set()
    waiting = [number]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            needs = capability(each)
            waiting += needs.capabilities if needs else ()
    return found
