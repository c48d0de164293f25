"""Who may call whom in a linked program.

Nodes are numbers: first the functions of the module, in its order; then the types of indirect
calls, each of which leads to the functions of that type whose address is taken, so that many
callers and many targets stay linear; then functions that only the facts know, since optimisation
has inlined them away.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from dovetail.facts import FunctionFact
from dovetail.graphs import reachable, to_bits
from dovetail.ir import CallGraph, EdgeKind
from dovetail.postlink.link import LinkedProgram

_CALLS = frozenset({EdgeKind.DIRECT_CALL})
_REFERENCES = frozenset(EdgeKind)


@dataclass(frozen=True)
class Calls:
    """The calls of a module, and its other references."""

    graph: CallGraph

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The node of each function."""
        return {name: number for number, name in enumerate(self.graph.names)}

    @property
    def are_indirect(self) -> bool:
        """Whether any function calls through a pointer."""
        return len(self.graph.indirect_callers) > 0

    def successors(self, kinds: frozenset[EdgeKind] = _CALLS) -> list[list[int]]:
        """What each node calls or, if more kinds are asked for, refers to."""
        successors = self.graph.successors(kinds)
        if not self.are_indirect:
            return successors
        count = len(self.graph.names)
        types = 1 + max(*self.graph.types, *self.graph.indirect_types)
        successors += [[] for _ in range(types)]
        for caller, type_number in zip(
            self.graph.indirect_callers, self.graph.indirect_types, strict=True
        ):
            successors[caller].append(count + type_number)
        for function in sorted(set(self._address_taken())):
            successors[count + self.graph.types[function]].append(function)
        return successors

    def needed(self, roots: Iterable[str]) -> list[str]:
        """The roots, and what indirect calls behind them may call without referring to it."""
        names = list(roots)
        if not self.are_indirect:
            return names
        found = reachable((self.number_of[name] for name in names), self._references)
        targets = set(self._address_taken()) & found
        return names + [self.graph.names[n] for n in sorted(targets - self._numbers(names))]

    def users(self, functions: Iterable[str]) -> set[str]:
        """The given functions, and those that call or refer to them, however indirectly."""
        found = reachable(self._numbers(functions), self._referrers)
        return {self.graph.names[number] for number in found if number < len(self.graph.names)}

    def _numbers(self, names: Iterable[str]) -> set[int]:
        return {self.number_of[name] for name in names}

    def _address_taken(self) -> Iterator[int]:
        for target, kind in zip(self.graph.targets, self.graph.kinds, strict=True):
            if kind != EdgeKind.DIRECT_CALL:
                yield target

    @cached_property
    def _references(self) -> list[list[int]]:
        return self.successors(_REFERENCES)

    @cached_property
    def _referrers(self) -> list[list[int]]:
        referrers: list[list[int]] = [[] for _ in self._references]
        for number, targets in enumerate(self._references):
            for target in targets:
                referrers[target].append(number)
        return referrers


def add_written_calls(
    linked: LinkedProgram, calls: Calls, own: list[int], successors: list[list[int]]
) -> None:
    """Add what sources say: calls, also those that optimisation removed, and uses of aspects."""
    graph = linked.analysis.graph
    numbers: list[int] = []
    for node in graph.nodes:
        number = _number_in_module(node.fact, calls)
        if number is None:
            number = len(successors)
            successors.append([])
            own.append(0)
        numbers.append(number)
    for number, node in zip(numbers, graph.nodes, strict=True):
        own[number] |= to_bits(use.aspect for use in node.fact.uses)
        own[number] |= to_bits(node.promised_aspects)
        successors[number] += [numbers[callee] for callee in node.callees]
    for kernel in graph.kernels:
        entry = calls.number_of.get(kernel.fact.entry_symbol)
        if entry is not None:
            successors[entry] += [numbers[kernel.function], numbers[kernel.code]]


def _number_in_module(fact: FunctionFact, calls: Calls) -> int | None:
    # Linking renames internal functions whose names clash, so their names say nothing.
    return None if fact.is_internal else calls.number_of.get(fact.symbol)
