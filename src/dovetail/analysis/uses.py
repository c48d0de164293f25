"""Which aspects each function uses, where, and through which calls.

A function uses the aspects of its own code, those that its declarations list, and those of its
callees; through a conditional call, only under that condition. Sets of aspects are bit masks, so
that unions are cheap.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from dovetail.analysis.conditional import ConditionalUses, simplify
from dovetail.analysis.graph import CallStep, Graph
from dovetail.facts import Declaration, Use
from dovetail.graphs import from_bits, to_bits
from dovetail.targets import Table, aspect_text, default_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition


class Chain(NamedTuple):
    """The shortest call chain from a function to the first use of an aspect."""

    steps: tuple[CallStep, ...]
    """The calls from the function to the one that contains the use."""
    use: Use


class Uses:
    """The aspects that the functions of a graph use."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._own = [to_bits(use.aspect for use in node.fact.uses) for node in graph.nodes]
        self._declared = [
            to_bits(node.declared_aspects) if node.other_facts or node.fact.declared else 0
            for node in graph.nodes
        ]
        self._distances: dict[tuple[int, bool], dict[int, int]] = {}

    @cached_property
    def _gathered(self) -> tuple[list[int], dict[int, ConditionalUses]]:
        """The unconditional uses of all functions, and the conditional ones."""
        return self.graph.edges().gather(list(map(int.__or__, self._own, self._declared)))

    @property
    def _used(self) -> list[int]:
        return self._gathered[0]

    def of(self, node: int) -> tuple[int, ...]:
        """Return the aspects that a function or its callees use or declare, ascending.

        Conditional uses do not count.
        """
        return tuple(from_bits(self._used[node]))

    def conditional(self, node: int) -> ConditionalUses:
        """Return the aspects that a function uses only under a condition, by condition."""
        return self._gathered[1].get(node, {})

    def simplified_conditional(self, table: Table | None = None) -> dict[int, ConditionalUses]:
        """Return all conditional uses by function, without aspects that every such device has.

        `table` describes the devices, if it is not the default one.
        """
        _, conditional = self._gathered
        return simplify(conditional, table or default_table()) if conditional else {}

    def by_code(self, node: int) -> tuple[int, ...]:
        """Return the aspects that a function's code uses unconditionally, declared or not."""
        return tuple(from_bits(self._used_by_code(node)))

    def undeclared(self, node: int) -> tuple[int, ...]:
        """Return the aspects that a function uses and its attribute, if any, does not list."""
        declaration = self.graph.nodes[node].declaration
        if declaration is None:
            return ()
        return tuple(from_bits(self._used_by_code(node) & ~to_bits(declaration.aspects)))

    def _used_by_code(self, node: int) -> int:
        used = self._own[node]
        for callee in self.graph.nodes[node].unconditional_callees:
            used |= self._used[callee]
        return used

    def chain(self, node: int, aspect: int) -> Chain:
        """Return the chain to the first use of an aspect that a function uses or declares."""
        if node in self._distance(aspect, by_declaration=False) or not (
            self._declared[node] & (1 << aspect)
        ):
            return self.chain_of_code(node, aspect)
        declared = self._declaration(node, aspect)
        what = f"listed by {declaration_kind(declared)} '{declared.attribute}'"
        return Chain((), Use(aspect, what, declared.place))

    def chain_of_code(self, node: int, aspect: int) -> Chain:
        """Return the chain for an aspect that the function's code uses, ignoring its declaration.

        Uses in the code of functions come first; otherwise, the use is a call of a function that
        declares the aspect.
        """
        distances = self._distance(aspect, by_declaration=False)
        if node in distances:
            steps = self._shortest_chain(node, distances)
            return Chain(steps, self._own_use(steps[-1].callee if steps else node, aspect))
        distances = self._distance(aspect, by_declaration=True)
        unconditional = self.graph.nodes[node].unconditional_callees
        callees = [callee for callee in unconditional if callee in distances]
        first = min(callees, key=lambda callee: distances[callee])
        steps = (self.graph.step(node, first), *self._shortest_chain(first, distances))
        *before, last_step = steps
        return Chain(tuple(before), self._use_by_call(last_step, aspect))

    def conditional_chain(self, node: int, condition: "Condition", aspect: int) -> Chain:
        """Return the chain from a function to the first use of an aspect under a condition."""
        # Imported late: most programs have no conditional calls.
        from dovetail.analysis.conditional_paths import shortest_path, without_header_calls

        steps = shortest_path(self.graph, node, condition, self._own, 1 << aspect)
        if steps:
            use = self._own_use(steps[-1].callee, aspect)
            return Chain(without_header_calls(self.graph, steps), use)
        steps = shortest_path(self.graph, node, condition, self._declared, 1 << aspect)
        assert steps, "conditional uses are reached through conditional calls"
        *before, last_step = without_header_calls(self.graph, steps)
        return Chain(tuple(before), self._use_by_call(last_step, aspect))

    def _own_use(self, node: int, aspect: int) -> Use:
        return next(use for use in self.graph.nodes[node].fact.uses if use.aspect == aspect)

    def _use_by_call(self, step: CallStep, aspect: int) -> Use:
        """Return a call as the use of an aspect that its callee declares."""
        declared = self._declaration(step.callee, aspect)
        what = (
            f"call of '{self.graph.nodes[step.callee].fact.name}', which is declared with"
            f" {declared_text(declared)}"
        )
        return Use(aspect, what, step.place)

    def _declaration(self, node: int, aspect: int) -> Declaration:
        facts = (self.graph.nodes[node].fact, *self.graph.nodes[node].other_facts)
        return next(f.declared for f in facts if f.declared and aspect in f.declared.aspects)

    def _shortest_chain(self, node: int, distances: dict[int, int]) -> tuple[CallStep, ...]:
        """Return the first shortest chain, in source order, to a node at distance 0."""
        steps: list[CallStep] = []
        while distance := distances[node]:
            callees = self.graph.nodes[node].unconditional_callees
            nearer = next(c for c in callees if distances.get(c) == distance - 1)
            steps.append(self.graph.step(node, nearer))
            node = nearer
        return tuple(steps)

    def _distance(self, aspect: int, *, by_declaration: bool) -> dict[int, int]:
        """Return the number of calls from each function to one that uses or declares an aspect."""
        key = (aspect, by_declaration)
        if key not in self._distances:
            bits = self._declared if by_declaration else self._own
            self._distances[key] = _distances(self.graph.unconditional_callers, bits, 1 << aspect)
        return self._distances[key]


def declaration_kind(declared: Declaration) -> str:
    """Return the kind of a declaration for messages."""
    return "property" if declared.is_property else "attribute"


def declared_text(declared: Declaration | None) -> str:
    """Return a declaration as a source spells it."""
    if declared is None:
        return "no attribute"
    return f"{declared.attribute}({', '.join(map(aspect_text, declared.aspects))})"


def _distances(callers: Sequence[Sequence[int]], bits: Sequence[int], bit: int) -> dict[int, int]:
    """Return the number of calls from each node to the closest node that has the bit."""
    distances = {node: 0 for node, has in enumerate(bits) if has & bit}
    pending = list(distances)
    for node in pending:
        for caller in callers[node]:
            if caller not in distances:
                distances[caller] = distances[node] + 1
                pending.append(caller)
    return distances
