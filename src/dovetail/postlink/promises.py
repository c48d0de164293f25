"""What functions declare to use, in whichever inputs they do, kept over the link.

LLVM's linker drops a declaration, and what it promised, as soon as it has the definition; and it
renames internal functions whose names clash.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dovetail.device_metadata import declared_aspects
from dovetail.ir import Function, Module

_INTERNAL = ("internal", "private")

_INPUT = "dovetail.input"
"""The metadata that says where an internal function is from while modules are linked."""


@dataclass(frozen=True)
class Promise:
    """What a function declares in one of the inputs."""

    input: str
    symbol: str
    """Its name there."""
    is_definition: bool
    aspects: int
    """As bits."""


Promises = dict[str, tuple[Promise, ...]]
"""By the functions' names in the linked module."""


@dataclass(frozen=True)
class Declared:
    """What the functions of one input declare, before it is linked."""

    module: Module
    functions: Sequence[Function]
    """Those that declare something."""
    aspects: dict[str, int]

    @classmethod
    def of(cls, module: Module, functions: Sequence[Function]) -> "Declared":
        """`functions` are all that the module has."""
        aspects = declared_aspects(module)
        return cls(module, [f for f in functions if f.name in aspects] if aspects else [], aspects)

    def mark_internal(self, number: int) -> None:
        """Let internal functions be found again under other names."""
        # What the file itself has under that name is none of ours.
        self.module.set_function_metadata(
            _INPUT, dict.fromkeys(self.module.function_metadata(_INPUT))
        )
        self.module.set_function_metadata(
            _INPUT, {f.name: [number, f.name] for f in self.functions if f.linkage in _INTERNAL}
        )


def promises_of(inputs: Sequence[Declared]) -> Promises:
    """What functions declare that keep their names: all of them, if there is nothing to link."""
    promises: Promises = {}
    for declared in inputs:
        for function in declared.functions:
            if len(inputs) > 1 and function.linkage in _INTERNAL:
                continue
            promise = Promise(
                declared.module.name,
                function.name,
                not function.is_declaration,
                declared.aspects[function.name],
            )
            promises[function.name] = (*promises.get(function.name, ()), promise)
    return promises


def marked_promises(linked: Module, inputs: Sequence[str]) -> Promises:
    """What internal functions declare, by the names that they have now."""
    marked = linked.function_metadata(_INPUT)
    if not marked:
        return {}
    declared = declared_aspects(linked)
    linked.set_function_metadata(_INPUT, dict.fromkeys(marked))
    promises: Promises = {}
    for symbol, node in marked.items():
        match node:
            case [int() as number, str() as name]:
                promises[symbol] = (Promise(inputs[number], name, True, declared[symbol]),)
            case _:
                raise AssertionError("only we write such metadata")
    return promises
