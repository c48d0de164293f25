"""The call graph of a linked program, including indirect calls.

Nodes are numbers: first the functions of the module in order; then the types of indirect calls,
which have edges to the functions of that type whose address is taken, so that the graph stays
linear in callers and targets; then functions that are only in the facts, because optimization has
removed them. Virtual functions belong to sets, and are called by functions that name the set.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from dovetail.analysis import Edges, build_graph
from dovetail.facts import Facts, FunctionFact
from dovetail.graphs import gather, reachable, to_bits
from dovetail.ir import REFERENCES, CallGraph, EdgeKind
from dovetail.postlink.indirect_targets import IndirectTargets

_CALLS = frozenset({EdgeKind.DIRECT_CALL})
_ADDRESS_TAKEN = REFERENCES - _CALLS


@dataclass(frozen=True)
class Calls:
    """The calls and other references of a module."""

    graph: CallGraph
    references: frozenset[EdgeKind] = REFERENCES
    """The edge kinds that count as references, for `needed`, `reached` and `users`."""
    address_taken_elsewhere: frozenset[str] = frozenset()
    """Functions whose address is taken outside the module."""
    declared: IndirectTargets = field(default_factory=IndirectTargets)
    """Targets of indirect calls declared by attributes."""

    @cached_property
    def number_of(self) -> dict[str, int]:
        """The node number of each function."""
        return {name: number for number, name in enumerate(self.graph.names)}

    @property
    def are_indirect(self) -> bool:
        """Whether any function makes indirect calls."""
        return len(self.graph.indirect_callers) > 0

    @cached_property
    def node_count(self) -> int:
        """The number of functions and of types of indirect calls."""
        count = len(self.graph.names)
        if not self.are_indirect:
            return count
        return count + 1 + max(*self.graph.types, *self.graph.indirect_types)

    def edges(self, kinds: frozenset[EdgeKind] = _CALLS) -> tuple[list[int], list[int]]:
        """Return the edges of the given kinds and of indirect calls as sources and targets."""
        sources, targets = self.graph.edges(kinds)
        for caller, callees in self.declared.callees.items():
            sources += [self.number_of[caller]] * len(callees)
            targets += [self.number_of[callee] for callee in callees]
        if self.are_indirect:
            count = len(self.graph.names)
            sources += self.graph.indirect_callers
            targets += [count + number for number in self.graph.indirect_types]
            called = set(self.graph.indirect_types)
            taken = [
                each for each in sorted(self._address_taken) if self.graph.types[each] in called
            ]
            sources += [count + self.graph.types[function] for function in taken]
            targets += taken
        return sources, targets

    def needed(self, roots: Iterable[str]) -> list[str]:
        """Return the roots, followed by the targets of indirect calls reachable from them."""
        names = list(roots)
        if not self.are_indirect and not self.declared.callees:
            return names
        found = reachable((self.number_of[name] for name in names), self._references)
        count, types = len(self.graph.names), self.graph.types
        targets = {each for each in self._address_taken if count + types[each] in found}
        targets |= self._numbers(self.declared.in_sets) & found
        return names + [self.graph.names[n] for n in sorted(targets - self._numbers(names))]

    def reached(self, functions: Iterable[str]) -> dict[str, int]:
        """Return which of the given functions each function reaches, as bits.

        Functions that reach none of them are left out.
        """
        own = [0] * self.node_count
        for bit, name in enumerate(functions):
            own[self.number_of[name]] = 1 << bit
        found = gather(own, *self.edges(self.references))
        return {name: bits for name, bits in zip(self.graph.names, found, strict=False) if bits}

    def users(self, functions: Iterable[str]) -> set[str]:
        """Return the given functions and all functions that reach them."""
        found = reachable(self._numbers(functions), self._referrers)
        return {self.graph.names[number] for number in found if number < len(self.graph.names)}

    def _numbers(self, names: Iterable[str]) -> set[int]:
        return {self.number_of[name] for name in names}

    @cached_property
    def _address_taken(self) -> frozenset[int]:
        edges = zip(self.graph.targets, self.graph.kinds, strict=True)
        taken = (target for target, kind in edges if kind in _ADDRESS_TAKEN)
        elsewhere = self.address_taken_elsewhere | self.declared.referenced
        in_sets = self._numbers(self.declared.in_sets)
        return (frozenset(taken) | self._numbers(elsewhere)) - in_sets

    @cached_property
    def _references(self) -> list[list[int]]:
        return _lists(self.node_count, *self.edges(self.references))

    @cached_property
    def _referrers(self) -> list[list[int]]:
        sources, targets = self.edges(self.references)
        return _lists(self.node_count, targets, sources)


def _lists(count: int, sources: Iterable[int], targets: Iterable[int]) -> list[list[int]]:
    """Return the adjacency lists of a graph."""
    lists: list[list[int]] = [[] for _ in range(count)]
    for source, target in zip(sources, targets, strict=True):
        lists[source].append(target)
    return lists


def add_written_calls(facts: Sequence[Facts], calls: Calls, own: list[int], edges: Edges) -> None:
    """Add the calls and uses of aspects in the sources, including those optimization removed."""
    graph = build_graph(facts)
    numbers: list[int] = []
    for node in graph.nodes:
        number = _number_in_module(node.fact, calls)
        if number is None:
            number = len(own)
            own.append(0)
        numbers.append(number)
    for number, node in zip(numbers, graph.nodes, strict=True):
        own[number] |= to_bits(use.aspect for use in node.fact.uses)
        own[number] |= to_bits(node.declared_aspects)
    written = graph.edges()
    edges.sources.extend([numbers[source] for source in written.sources])
    edges.targets.extend([numbers[target] for target in written.targets])
    edges.conditional.extend([(numbers[s], c, numbers[t]) for s, c, t in written.conditional])
    for kernel in graph.kernels:
        entry = calls.number_of.get(kernel.fact.entry_symbol)
        if entry is not None:
            edges.add(entry, True, numbers[kernel.function])
            edges.add(entry, True, numbers[kernel.code])


def _number_in_module(fact: FunctionFact, calls: Calls) -> int | None:
    # Linking renames internal functions whose names clash, so they cannot be found by name.
    return None if fact.is_internal else calls.number_of.get(fact.symbol)
