"""Add decorations and execution modes to a SPIR-V module, and declare their capabilities."""

from collections.abc import Iterator

from dovetail.codegen.spirv.module_decorations import ModuleDecorations
from dovetail.spirv import Edit, SpirvModule, instruction
from dovetail.spirv.declarations import Declarations
from dovetail.spirv.grammar import decoration, execution_mode
from dovetail.spirv.opcodes import (
    DECORATE,
    ENTRY_POINT,
    EXECUTION_MODE,
    FUNCTION,
    FUNCTION_PARAMETER,
    MEMBER_DECORATE,
    NAME,
    VARIABLE,
)
from dovetail.spirv_metadata import Decoration

_USER_SEMANTIC = 5635
_LINKAGE = 41
_ALIGNMENT = 44


def decorate(code: bytes, wanted: ModuleDecorations) -> bytes:
    """Return a SPIR-V module with decorations and execution modes added."""
    return _Decorator(SpirvModule.read(code)).decorated(wanted).to_bytes()


class _Decorator:
    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._edit = Edit(module)
        self._declared = Declarations(module, self._edit)
        self._entry_points: dict[str, int] = {}
        self._named: dict[str, list[int]] = {}
        """Ids by name; values in functions can have the name of a variable."""
        self._variables: set[int] = set()
        self._existing: dict[tuple[int, int, int], list[int]] = {}
        """The word offsets of decorations and execution modes, by opcode, id and number."""
        for opcode, offset, _ in module.instructions():
            if opcode == ENTRY_POINT:
                self._entry_points[module.string(offset, 3)] = module.operand(offset, 2)
            elif opcode == NAME:
                self._named.setdefault(module.string(offset, 2), []).append(
                    module.operand(offset, 1)
                )
            elif opcode in (DECORATE, EXECUTION_MODE):
                self._note(opcode, offset)
            elif opcode == VARIABLE:
                self._variables.add(module.operand(offset, 2))
            elif opcode == FUNCTION:
                break

    def _note(self, opcode: int, offset: int) -> None:
        """Record an existing decoration or execution mode, and the name of an imported function."""
        target, number = self._module.operand(offset, 1), self._module.operand(offset, 2)
        self._existing.setdefault((opcode, target, number), []).append(offset)
        if opcode == DECORATE and number == _LINKAGE:
            self._named.setdefault(self._module.string(offset, 3), []).insert(0, target)

    def decorated(self, wanted: ModuleDecorations) -> SpirvModule:
        """Return the edited module."""
        for kernel, mode in wanted.modes:
            self._add_mode(self._function(kernel), mode)
        parameters = self._parameters() if wanted.parameters else {}
        for function, listed in wanted.parameters.items():
            targets = parameters[self._function(function)]
            for target, decorations in zip(targets, listed, strict=True):
                self._decorate(target, decorations)
        for variable, decorations in wanted.variables.items():
            # The back-end does not emit unused variables.
            for target in self._variables.intersection(self._named.get(variable, ())):
                self._decorate(target, decorations)
        if wanted.annotations:
            self._replace_annotations(wanted.annotations)
        return self._edit.apply()

    def _function(self, name: str) -> int:
        """Return the id of an entry point or, if there is none, of a function with that name."""
        return self._entry_points[name] if name in self._entry_points else self._named[name][0]

    def _parameters(self) -> dict[int, list[int]]:
        """Return the ids of parameters, by function."""
        found: dict[int, list[int]] = {}
        parameters: list[int] = []
        for opcode, offset, _ in self._module.instructions():
            if opcode == FUNCTION:
                parameters = found[self._module.operand(offset, 2)] = []
            elif opcode == FUNCTION_PARAMETER:
                parameters.append(self._module.operand(offset, 2))
        return found

    def _add_mode(self, kernel: int, mode: Decoration) -> None:
        """Add an execution mode with its capabilities, unless the kernel has one of that kind."""
        if (EXECUTION_MODE, kernel, mode.number) not in self._existing:
            self._declared.require(execution_mode(mode.number))
            self._edit.add(EXECUTION_MODE, kernel, mode.number, *mode.operands)

    def _decorate(self, target: int, decorations: list[Decoration]) -> None:
        """Add decorations to an id, unless it has equal ones, and declare their capabilities."""
        for new in decorations:
            existing = self._existing.get((DECORATE, target, new.number), [])
            words = instruction(DECORATE, target, new.number, *new.operands)
            if any(
                self._module.words[offset : self._module.end(offset)] == words
                for offset in existing
            ):
                continue
            # An id may have only one alignment: the requested one replaces that of the IR, which
            # LLVM has written.
            if new.number == _ALIGNMENT:
                for offset in existing:
                    self._edit.remove(offset)
            self._declared.require(decoration(new.number))
            self._edit.add(DECORATE, target, new.number, *new.operands)

    def _replace_annotations(self, annotations: dict[str, list[Decoration]]) -> None:
        """Replace each annotation by the decorations that belong to its text, if there are any."""
        for offset, subject in self._annotated():
            opcode = self._module.opcode(offset)
            decorations = annotations.get(self._module.string(offset, 2 + len(subject)))
            if decorations is not None:
                self._edit.remove(offset)
                for new in decorations:
                    self._declared.require(decoration(new.number))
                    self._edit.add(opcode, *subject, new.number, *new.operands)

    def _annotated(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the word offset and subject of each annotation: an id, or an id and a member."""
        for opcode, offset, _ in self._module.instructions():
            if opcode in (DECORATE, MEMBER_DECORATE):
                count = 1 if opcode == DECORATE else 2
                if self._module.operand(offset, count + 1) == _USER_SEMANTIC:
                    subject = tuple(self._module.operand(offset, 1 + each) for each in range(count))
                    yield offset, subject
            elif opcode == FUNCTION:
                return
