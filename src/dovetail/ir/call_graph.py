"""The call graph of a module: which function calls or refers to which, and reachability.

All operations are linear in the number of functions and edges.
"""

from collections.abc import Iterable, Set as AbstractSet
from enum import IntEnum
from itertools import compress
from typing import NamedTuple, Self

from dovetail._native import Module
from dovetail.errors import IRError, nearest
from dovetail.graphs import reachable


class EdgeKind(IntEnum):
    """How a function refers to another; the numbers are those of the native bridge."""

    DIRECT_CALL = 0
    ADDRESS_TAKEN = 1
    """By an instruction."""
    THROUGH_CONSTANT = 2
    """By a constant expression or an initial value."""
    CONDITIONAL_CALL = 3
    """As the action of a conditional call."""


REFERENCES = frozenset(EdgeKind) - {EdgeKind.CONDITIONAL_CALL}
"""All kinds but conditional calls; the default."""
_NO_FUNCTION = -1


class CallGraph(NamedTuple):
    """Edges and indirect calls as parallel arrays of indices into `names`.

    A call of an alias is a direct call of the aliased function.
    """

    names: tuple[str, ...]
    sources: "memoryview[int]"
    """-1 if a global variable or an alias refers to the target."""
    targets: "memoryview[int]"
    kinds: "memoryview[int]"
    types: "memoryview[int]"
    """The number of each function's type; equal for functions of the same type."""
    indirect_callers: "memoryview[int]"
    """Functions that call through a pointer; inline assembly does not count."""
    indirect_types: "memoryview[int]"
    """The type called by the caller at the same index, numbered as in `types`. Each pair of caller
    and type occurs once; a type without functions has its own number."""

    @classmethod
    def of(cls, module: Module, conditional: str = "") -> Self:
        """Return the call graph of a module.

        `conditional` is the attribute of the declared functions that make conditional calls.
        """
        names, *arrays = module.call_graph(conditional)
        return cls(tuple(names), *(memoryview(array).cast("i") for array in arrays))

    def callees(self, kinds: AbstractSet[int] = REFERENCES) -> dict[str, tuple[str, ...]]:
        """Return the functions that each function refers to by the given kinds, each once."""
        adjacency = self.successors(kinds)
        return {
            name: tuple(self.names[target] for target in dict.fromkeys(targets))
            for name, targets in zip(self.names, adjacency, strict=True)
        }

    def reachable(self, roots: Iterable[str], kinds: AbstractSet[int] = REFERENCES) -> set[str]:
        """Return the roots and all functions reachable from them by edges of the given kinds."""
        found = reachable(self._indices(roots), self.successors(kinds))
        return {self.names[index] for index in found}

    def referenced_functions(self) -> set[str]:
        """Return the functions that functions or variables refer to unconditionally."""
        edges = zip(self.targets, self.kinds, strict=True)
        return {self.names[target] for target, kind in edges if kind in REFERENCES}

    def referenced_by_variables(self) -> list[int]:
        """Return the indices of functions that variables' initial values or aliases refer to."""
        edges = zip(self.sources, self.targets, strict=True)
        return sorted({target for source, target in edges if source == _NO_FUNCTION})

    def users(self, functions: Iterable[str]) -> set[str]:
        """Return the functions and all functions that reach them."""
        adjacency: list[list[int]] = [[] for _ in self.names]
        for source, target in zip(self.sources, self.targets, strict=True):
            if source != _NO_FUNCTION:
                adjacency[target].append(source)
        return {self.names[index] for index in reachable(self._indices(functions), adjacency)}

    def successors(self, kinds: AbstractSet[int] = REFERENCES) -> list[list[int]]:
        """Return the callees of each function by index, with duplicates."""
        adjacency: list[list[int]] = [[] for _ in self.names]
        for source, target, kind in zip(self.sources, self.targets, self.kinds, strict=True):
            if source != _NO_FUNCTION and kind in kinds:
                adjacency[source].append(target)
        return adjacency

    def edges(self, kinds: AbstractSet[int] = REFERENCES) -> tuple[list[int], list[int]]:
        """Return the edges between functions as lists of sources and targets."""
        is_kept = [
            source != _NO_FUNCTION and kind in kinds
            for source, kind in zip(self.sources, self.kinds, strict=True)
        ]
        return list(compress(self.sources, is_kept)), list(compress(self.targets, is_kept))

    def _indices(self, names: Iterable[str]) -> list[int]:
        """Return the indices of functions; raise `IRError` if the graph does not have one."""
        index_of = {name: index for index, name in enumerate(self.names)}
        indices: list[int] = []
        for name in names:
            if name not in index_of:
                hint = nearest(name, self.names)
                raise IRError(f"the call graph has no function '{name}'", hint=hint)
            indices.append(index_of[name])
        return indices
