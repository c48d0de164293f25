"""Which aspects each function uses, where, and through which calls.

A function uses what its own code uses, what its declarations list, and what the functions that it
calls use. What lies behind a conditional call it uses under that condition alone. Sets of aspects
are bits of a number, so that joining them costs next to nothing.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from dovetail.analysis.conditional import ConditionalUses, simplify
from dovetail.analysis.conditional_ways import as_users_see_it, shortest_way
from dovetail.analysis.graph import CallStep, Graph
from dovetail.facts import Declaration, Use
from dovetail.graphs import from_bits, to_bits
from dovetail.targets import Table, aspect_text, default_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition


class Chain(NamedTuple):
    """The shortest way from a function to the first use of an aspect."""

    steps: tuple[CallStep, ...]
    """The calls that lead from the function to the one that has the use."""
    use: Use


class Uses:
    """What is used in a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._own = [to_bits(use.aspect for use in node.fact.uses) for node in graph.nodes]
        self._promised = [
            to_bits(node.promised_aspects) if node.others or node.fact.declared else 0
            for node in graph.nodes
        ]
        self._distances: dict[tuple[int, bool], dict[int, int]] = {}

    @cached_property
    def _gathered(self) -> tuple[list[int], dict[int, ConditionalUses]]:
        """What functions use on all devices, and on some."""
        return self.graph.edges().gather(list(map(int.__or__, self._own, self._promised)))

    @property
    def _used(self) -> list[int]:
        return self._gathered[0]

    def of(self, node: int) -> tuple[int, ...]:
        """The aspects that a function uses or declares, itself or through its calls, ascending.

        On all devices: what it uses on some alone, it does not count.
        """
        return tuple(from_bits(self._used[node]))

    def conditional(self, node: int) -> ConditionalUses:
        """By condition, what a function uses only if that holds, as bits."""
        return self._gathered[1].get(node, {})

    def uncertain(self, table: Table | None = None) -> dict[int, ConditionalUses]:
        """The same for all functions that do, without what every such device has.

        `table` says what is known of devices, if it is not the default one.
        """
        _, conditional = self._gathered
        return simplify(conditional, table or default_table()) if conditional else {}

    def by_code(self, node: int) -> tuple[int, ...]:
        """What a function's code uses on all devices, whatever it declares."""
        return tuple(from_bits(self._used_by_code(node)))

    def undeclared(self, node: int) -> tuple[int, ...]:
        """What a function's code uses and its attribute does not list; empty if it has none."""
        promise = self.graph.nodes[node].promise
        if promise is None:
            return ()
        return tuple(from_bits(self._used_by_code(node) & ~to_bits(promise.aspects)))

    def _used_by_code(self, node: int) -> int:
        used = self._own[node]
        for callee in self.graph.nodes[node].certain_callees:
            used |= self._used[callee]
        return used

    def chain(self, node: int, aspect: int) -> Chain:
        """The way from a function to the first use of an aspect that it uses or declares."""
        if node in self._distance(aspect, by_promise=False) or not (
            self._promised[node] & (1 << aspect)
        ):
            return self.chain_of_code(node, aspect)
        declared = self._declaration(node, aspect)
        what = f"listed by {kind_of(declared)} '{declared.attribute}'"
        return Chain((), Use(aspect, what, declared.place))

    def chain_of_code(self, node: int, aspect: int) -> Chain:
        """The same for an aspect that the function's code uses, whatever it declares.

        The code of functions comes first; where none uses it, a call of a function that declares
        the aspect is the use.
        """
        distances = self._distance(aspect, by_promise=False)
        if node in distances:
            steps = self._walk(node, distances)
            return Chain(steps, self._own_use(steps[-1].callee if steps else node, aspect))
        distances = self._distance(aspect, by_promise=True)
        certain = self.graph.nodes[node].certain_callees
        callees = [callee for callee in certain if callee in distances]
        first = min(callees, key=lambda callee: distances[callee])
        steps = (self.graph.step(node, first), *self._walk(first, distances))
        *before, last_step = steps
        return Chain(tuple(before), self._use_by_call(last_step, aspect))

    def chain_if(self, node: int, condition: "Condition", aspect: int) -> Chain:
        """The way from a function to the first use of an aspect that it uses under a condition."""
        steps = shortest_way(self.graph, node, condition, self._own, 1 << aspect)
        if steps:
            use = self._own_use(steps[-1].callee, aspect)
            return Chain(as_users_see_it(self.graph, steps), use)
        steps = shortest_way(self.graph, node, condition, self._promised, 1 << aspect)
        assert steps, "what is used under a condition lies behind calls with conditions"
        *before, last_step = as_users_see_it(self.graph, steps)
        return Chain(tuple(before), self._use_by_call(last_step, aspect))

    def _own_use(self, node: int, aspect: int) -> Use:
        return next(use for use in self.graph.nodes[node].fact.uses if use.aspect == aspect)

    def _use_by_call(self, step: CallStep, aspect: int) -> Use:
        declared = self._declaration(step.callee, aspect)
        what = (
            f"call of '{self.graph.nodes[step.callee].fact.name}', which is declared with"
            f" {declared_text(declared)}"
        )
        return Use(aspect, what, step.place)

    def _declaration(self, node: int, aspect: int) -> Declaration:
        facts = (self.graph.nodes[node].fact, *self.graph.nodes[node].others)
        return next(f.declared for f in facts if f.declared and aspect in f.declared.aspects)

    def _walk(self, node: int, distances: dict[int, int]) -> tuple[CallStep, ...]:
        """The first calls, in the order of the source, that come one nearer each time."""
        steps: list[CallStep] = []
        while distance := distances[node]:
            callees = self.graph.nodes[node].certain_callees
            nearer = next(c for c in callees if distances.get(c) == distance - 1)
            steps.append(self.graph.step(node, nearer))
            node = nearer
        return tuple(steps)

    def _distance(self, aspect: int, *, by_promise: bool) -> dict[int, int]:
        """How many calls each function is away from one that uses the aspect, or declares it."""
        key = (aspect, by_promise)
        if key not in self._distances:
            bits = self._promised if by_promise else self._own
            self._distances[key] = _distances(self.graph.certain_callers, bits, 1 << aspect)
        return self._distances[key]


def kind_of(declared: Declaration) -> str:
    """What messages call it."""
    return "property" if declared.is_property else "attribute"


def declared_text(declared: Declaration | None) -> str:
    """What a function promises, as a source would spell it."""
    if declared is None:
        return "no attribute"
    return f"{declared.attribute}({', '.join(map(aspect_text, declared.aspects))})"


def _distances(callers: Sequence[Sequence[int]], bits: Sequence[int], bit: int) -> dict[int, int]:
    distances = {node: 0 for node, has in enumerate(bits) if has & bit}
    pending = list(distances)
    for node in pending:
        for caller in callers[node]:
            if caller not in distances:
                distances[caller] = distances[node] + 1
                pending.append(caller)
    return distances
