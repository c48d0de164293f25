"""Decorations and execution modes, written behind LLVM's back-end.

It could write some of them. But over a string in the decoration of a parameter it crashes, it does
not declare what many of them need, gives up over others, and where a module has execution modes, it
leaves out those of its own. So they are taken out of the IR before, and put into the SPIR-V after.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from dovetail.ir import Module as IRModule
from dovetail.spirv import Edit, Module, instruction
from dovetail.spirv.grammar import decoration, execution_mode
from dovetail.spirv.needs import Declarations
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
from dovetail.spirv_metadata import (
    Decoration,
    annotated,
    execution_modes,
    parameter_decorations,
    set_execution_modes,
    set_parameter_decorations,
    set_variable_decorations,
    variable_decorations,
)

_DISGUISE = "dovetail:"
"""Before the text of an annotation, it makes LLVM pass it on as it is."""

_USER_SEMANTIC = 5635
_LINKAGE = 41
_ALIGNMENT = 44
"""Of which there can be but one; LLVM writes that of the IR."""


@dataclass(frozen=True)
class ModuleDecorations:
    """What a module has to have once it is SPIR-V."""

    modes: list[tuple[str, Decoration]]
    parameters: dict[str, list[list[Decoration]]]
    variables: dict[str, list[Decoration]]
    annotations: dict[str, list[Decoration]]
    """By text, as LLVM passes it on."""

    @classmethod
    def taken_from(cls, module: IRModule) -> Self:
        """Those of a module of LLVM IR, which has none any more."""
        texts = {text: marks for text in module.pointer_annotations() if (marks := annotated(text))}
        found = cls(
            execution_modes(module),
            parameter_decorations(module),
            variable_decorations(module),
            {_DISGUISE + text: marks for text, marks in texts.items()},
        )
        if found:
            set_execution_modes(module, [])
            set_parameter_decorations(module, {function: [] for function in found.parameters})
            set_variable_decorations(module, {variable: [] for variable in found.variables})
            module.set_pointer_annotations({text: _DISGUISE + text for text in texts})
        return found

    def __bool__(self) -> bool:
        return bool(self.modes or self.parameters or self.variables or self.annotations)

    def written_to(self, code: bytes) -> bytes:
        """The module of SPIR-V with all of them."""
        return _Writer(Module.read(code)).written(self).to_bytes() if self else code


class _Writer:
    def __init__(self, module: Module) -> None:
        self._module = module
        self._edit = Edit(module)
        self._declared = Declarations(module, self._edit)
        self._entry_points: dict[str, int] = {}
        self._named: dict[str, list[int]] = {}
        """Values in functions may be called what a variable is called."""
        self._variables: set[int] = set()
        self._given: dict[tuple[int, int, int], list[int]] = {}
        """By opcode, id and number, the places of decorations or execution modes."""
        for opcode, at, _ in module.instructions():
            if opcode == ENTRY_POINT:
                self._entry_points[module.string(at, 3)] = module.operand(at, 2)
            elif opcode == NAME:
                self._named.setdefault(module.string(at, 2), []).append(module.operand(at, 1))
            elif opcode in (DECORATE, EXECUTION_MODE):
                self._note(opcode, at)
            elif opcode == VARIABLE:
                self._variables.add(module.operand(at, 2))
            elif opcode == FUNCTION:
                break

    def _note(self, opcode: int, at: int) -> None:
        target, number = self._module.operand(at, 1), self._module.operand(at, 2)
        self._given.setdefault((opcode, target, number), []).append(at)
        if opcode == DECORATE and number == _LINKAGE:
            self._named.setdefault(self._module.string(at, 3), []).insert(0, target)

    def written(self, wanted: ModuleDecorations) -> Module:
        for kernel, mode in wanted.modes:
            self._give_mode(self._function(kernel), mode)
        parameters = self._parameters() if wanted.parameters else {}
        for function, listed in wanted.parameters.items():
            targets = parameters[self._function(function)]
            for target, marks in zip(targets, listed, strict=True):
                self._decorate(target, marks)
        for variable, marks in wanted.variables.items():
            # One that nothing uses is not in the module.
            for target in self._variables.intersection(self._named.get(variable, ())):
                self._decorate(target, marks)
        if wanted.annotations:
            self._replace_annotations(wanted.annotations)
        return self._edit.done()

    def _function(self, name: str) -> int:
        """An entry point and a function may have the same name, and need not be the same."""
        return self._entry_points[name] if name in self._entry_points else self._named[name][0]

    def _parameters(self) -> dict[int, list[int]]:
        """By function."""
        found: dict[int, list[int]] = {}
        of_function: list[int] = []
        for opcode, at, _ in self._module.instructions():
            if opcode == FUNCTION:
                of_function = found[self._module.operand(at, 2)] = []
            elif opcode == FUNCTION_PARAMETER:
                of_function.append(self._module.operand(at, 2))
        return found

    def _give_mode(self, kernel: int, mode: Decoration) -> None:
        if (EXECUTION_MODE, kernel, mode.number) not in self._given:
            self._declared.require(execution_mode(mode.number))
            self._edit.add(EXECUTION_MODE, kernel, mode.number, *mode.operands)

    def _decorate(self, target: int, marks: list[Decoration]) -> None:
        for mark in marks:
            given = self._given.get((DECORATE, target, mark.number), [])
            words = instruction(DECORATE, target, mark.number, *mark.operands)
            if any(self._module.words[at : self._module.end(at)] == words for at in given):
                continue
            for at in given if mark.number == _ALIGNMENT else ():
                self._edit.remove(at)
            self._declared.require(decoration(mark.number))
            self._edit.add(DECORATE, target, mark.number, *mark.operands)

    def _replace_annotations(self, annotations: dict[str, list[Decoration]]) -> None:
        for at, subject in self._annotated():
            opcode = self._module.opcode(at)
            marks = annotations.get(self._module.string(at, 2 + len(subject)))
            if marks is not None:
                self._edit.remove(at)
                for mark in marks:
                    self._declared.require(decoration(mark.number))
                    self._edit.add(opcode, *subject, mark.number, *mark.operands)

    def _annotated(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """The places of annotations, and of what they are: an id, or one and a member's number."""
        for opcode, at, _ in self._module.instructions():
            if opcode in (DECORATE, MEMBER_DECORATE):
                count = 1 if opcode == DECORATE else 2
                if self._module.operand(at, count + 1) == _USER_SEMANTIC:
                    subject = tuple(self._module.operand(at, 1 + each) for each in range(count))
                    yield at, subject
            elif opcode == FUNCTION:
                return
