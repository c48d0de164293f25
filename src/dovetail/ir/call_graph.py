"""The call graph of a module.

In: a `Module`. Out: which function refers to which, and how; who can be reached from where. All of
it takes time in proportion to the number of functions and edges.
"""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from enum import IntEnum
from itertools import compress
from typing import NamedTuple, Self

from dovetail._native import Module
from dovetail.errors import IRError, nearest
from dovetail.graphs import reachable


class EdgeKind(IntEnum):
    """How one function refers to another; the numbers are the native bridge's."""

    DIRECT_CALL = 0
    ADDRESS_TAKEN = 1
    """By an instruction."""
    THROUGH_CONSTANT = 2
    """By a constant expression or an initial value."""
    CONDITIONAL_CALL = 3
    """As what a conditional call may call."""


REFERENCES = frozenset(EdgeKind) - {EdgeKind.CONDITIONAL_CALL}
"""All but conditional calls, which are for who asks for them."""
_NO_FUNCTION = -1


class CallGraph(NamedTuple):
    """Edges and indirect calls as parallel arrays, functions by their index in `names`.

    A call of an alias is a direct call of the function behind it.
    """

    names: tuple[str, ...]
    sources: "memoryview[int]"
    """-1 where a global variable or an alias, not a function, refers to the target."""
    targets: "memoryview[int]"
    kinds: "memoryview[int]"
    types: "memoryview[int]"
    """For each function the number of its type, which it shares with others of that type."""
    indirect_callers: "memoryview[int]"
    """Functions that call through a pointer; inline assembly is no such call."""
    indirect_types: "memoryview[int]"
    """The type that the caller at this place calls, by the numbers of `types`. Each pair of caller
    and type is there once; a type that no function has is a number of its own."""

    @classmethod
    def of(cls, module: Module, conditional: str = "") -> Self:
        """The graph of the module as it is now.

        `conditional` is the attribute of functions that are declared to make conditional calls.
        """
        names, *arrays = module.call_graph(conditional)
        return cls(tuple(names), *(memoryview(array).cast("i") for array in arrays))

    def callees(self, kinds: AbstractSet[int] = REFERENCES) -> dict[str, tuple[str, ...]]:
        """For each function those it refers to in one of the given ways, each once."""
        adjacency = self.successors(kinds)
        return {
            name: tuple(self.names[target] for target in dict.fromkeys(targets))
            for name, targets in zip(self.names, adjacency, strict=True)
        }

    def reachable(self, roots: Iterable[str], kinds: AbstractSet[int] = REFERENCES) -> set[str]:
        """The roots and all that can be reached from them over edges of the given kinds."""
        found = reachable(self._indices(roots), self.successors(kinds))
        return {self.names[index] for index in found}

    def referred_to(self) -> set[str]:
        """The functions that others, or global variables, call or refer to without a condition."""
        edges = zip(self.targets, self.kinds, strict=True)
        return {self.names[target] for target, kind in edges if kind in REFERENCES}

    def held_by_variables(self) -> list[int]:
        """The functions, by index, that initial values of variables or aliases refer to."""
        edges = zip(self.sources, self.targets, strict=True)
        return sorted({target for source, target in edges if source == _NO_FUNCTION})

    def users(self, functions: Iterable[str]) -> set[str]:
        """The functions, and all from which they can be reached."""
        adjacency: list[list[int]] = [[] for _ in self.names]
        for source, target in zip(self.sources, self.targets, strict=True):
            if source != _NO_FUNCTION:
                adjacency[target].append(source)
        return {self.names[index] for index in reachable(self._indices(functions), adjacency)}

    def successors(self, kinds: AbstractSet[int] = REFERENCES) -> list[list[int]]:
        """The same by index, a target as often as it is referred to."""
        adjacency: list[list[int]] = [[] for _ in self.names]
        for source, target, kind in zip(self.sources, self.targets, self.kinds, strict=True):
            if source != _NO_FUNCTION and kind in kinds:
                adjacency[source].append(target)
        return adjacency

    def edges(self, kinds: AbstractSet[int] = REFERENCES) -> tuple[list[int], list[int]]:
        """The edges between functions as lists of sources and targets."""
        is_kept = [
            source != _NO_FUNCTION and kind in kinds
            for source, kind in zip(self.sources, self.kinds, strict=True)
        ]
        return list(compress(self.sources, is_kept)), list(compress(self.targets, is_kept))

    def _indices(self, names: Iterable[str]) -> list[int]:
        index_of = {name: index for index, name in enumerate(self.names)}
        indices: list[int] = []
        for name in names:
            if name not in index_of:
                hint = nearest(name, self.names)
                raise IRError(f"the call graph has no function '{name}'", hint=hint)
            indices.append(index_of[name])
        return indices
