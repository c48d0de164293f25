"""The static call graph of device code, built from the facts of one or several sources.

A function that several sources define (inline functions) or declare is one node; internal functions
of different sources are separate nodes. Calls can have conditions on devices. All algorithms are
linear in functions and calls, and do not recurse, so call chains can have any length.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from os.path import normpath
from typing import NamedTuple

from dovetail import conditions
from dovetail.analysis.conditional import Edges
from dovetail.errors import CompileError, FormatError
from dovetail.facts import Call, Declaration, Facts, FunctionFact, KernelFact, Place
from dovetail.graphs import components

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Normal


class Node(NamedTuple):
    """A function."""

    fact: FunctionFact
    """Its first definition, or else its first declaration."""
    other_facts: tuple[FunctionFact, ...]
    """Its definitions and declarations in other sources."""
    callees: tuple[int, ...]
    """The node of each call in `fact`."""
    conditions: "tuple[Normal, ...]" = ()
    """The condition of each call; empty if all calls are unconditional."""

    @property
    def unconditional_callees(self) -> tuple[int, ...]:
        """The nodes that it calls unconditionally."""
        if not self.conditions:
            return self.callees
        calls = zip(self.callees, self.conditions, strict=True)
        return tuple(callee for callee, condition in calls if condition is True)

    @property
    def declaration(self) -> Declaration | None:
        """The aspects declared by its definition, or else by a declaration elsewhere."""
        if self.fact.declared or not self.other_facts:
            return self.fact.declared
        return next((fact.declared for fact in self.other_facts if fact.declared), None)

    @property
    def declared_aspects(self) -> set[int]:
        """The aspects that any of its declarations lists."""
        facts = (self.fact, *self.other_facts)
        return {aspect for f in facts if f.declared for aspect in f.declared.aspects}


class KernelNode(NamedTuple):
    """A kernel and the indices of its functions' nodes."""

    fact: KernelFact
    function: int
    object_function: int | None
    """The `operator()` of the kernel object; None for a plain function."""

    @property
    def code(self) -> int:
        """The function with the user's code."""
        return self.function if self.object_function is None else self.object_function


class CallStep(NamedTuple):
    """A call on a path through the graph."""

    caller: int
    callee: int
    place: Place
    condition: "Normal" = True


@dataclass(frozen=True)
class Graph:
    """The functions of some sources, their calls, and the kernels among them."""

    nodes: tuple[Node, ...]
    kernels: tuple[KernelNode, ...]
    has_conditions: bool = False
    """Whether any call is conditional."""

    @cached_property
    def kernel_of(self) -> dict[int, KernelNode]:
        """The first kernel of each kernel function and of each kernel object's `operator()`."""
        found: dict[int, KernelNode] = {}
        for kernel in self.kernels:
            found.setdefault(kernel.function, kernel)
            found.setdefault(kernel.code, kernel)
        return found

    @cached_property
    def unconditional_callers(self) -> list[list[int]]:
        """For each function, the nodes that call it unconditionally."""
        callers: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for callee in node.unconditional_callees:
                callers[callee].append(number)
        return callers

    @cached_property
    def components(self) -> list[list[int]]:
        """The strongly connected components, callees before callers."""
        return components([node.callees for node in self.nodes])

    def edges(self) -> Edges:
        """Return all calls."""
        callees = [node.callees for node in self.nodes]
        if self.has_conditions:
            callees = [node.unconditional_callees for node in self.nodes]
        edges = Edges(
            [number for number, called in enumerate(callees) for _ in called],
            [callee for called in callees for callee in called],
        )
        if self.has_conditions:
            for number, node in enumerate(self.nodes):
                for callee, condition in zip(node.callees, node.conditions, strict=False):
                    if condition is not True:
                        edges.add(number, condition, callee)
        return edges

    def shortest_paths(self, roots: Iterable[int]) -> dict[int, CallStep | None]:
        """Return the last call on the shortest path from a root to each function; None for roots.

        Of equally short paths, the one from the first root counts.
        """
        found: dict[int, CallStep | None] = dict.fromkeys(roots)
        pending = list(found)
        for caller in pending:
            for callee in self.nodes[caller].callees:
                if callee not in found:
                    found[callee] = self.step(caller, callee)
                    pending.append(callee)
        return found

    def step(self, caller: int, callee: int) -> CallStep:
        """Return a call of a function by another, an unconditional one if there is any."""
        node = self.nodes[caller]
        if not node.conditions:
            return CallStep(caller, callee, node.fact.calls[node.callees.index(callee)].place)
        steps = [step for step in self.steps(caller) if step.callee == callee]
        return next((step for step in steps if step.condition is True), steps[0])

    def steps(self, caller: int) -> Iterator[CallStep]:
        """Iterate over the calls in a function, in source order."""
        node = self.nodes[caller]
        conditions = node.conditions or repeat(True)
        for call, callee, condition in zip(node.fact.calls, node.callees, conditions, strict=False):
            yield CallStep(caller, callee, call.place, condition)


def path_to(node: int, last_calls: dict[int, CallStep | None]) -> tuple[int, tuple[CallStep, ...]]:
    """Return the root and the calls of the path to a function, from `Graph.shortest_paths`."""
    steps: list[CallStep] = []
    while step := last_calls[node]:
        steps.append(step)
        node = step.caller
    return node, tuple(reversed(steps))


def build_graph(sources: Sequence[Facts]) -> Graph:
    """Return the graph of sources that are or will be linked together."""
    groups: list[list[tuple[int, FunctionFact]]] = []
    numbers: list[list[int]] = []
    by_symbol: dict[str, int] = {}
    for source, facts in enumerate(sources):
        numbers.append([])
        # The entry point of an internal kernel object may have the same symbol in another source.
        internal = {kernel.function for kernel in facts.kernels if kernel.internal}
        for index, function in enumerate(facts.functions):
            number = len(groups)
            if not function.is_internal and index not in internal:
                number = by_symbol.setdefault(function.symbol, number)
            if number == len(groups):
                groups.append([])
            groups[number].append((source, function))
            numbers[source].append(number)
    # Checked once, since most sources have no conditional calls.
    has_conditions = any(
        call.condition for facts in sources for each in facts.functions for call in each.calls
    )
    nodes = [_node(group, numbers) for group in groups]
    if has_conditions:
        nodes = [_with_conditions(node) for node in nodes]
    return Graph(tuple(nodes), tuple(_kernels(sources, numbers)), has_conditions)


def _node(group: Sequence[tuple[int, FunctionFact]], numbers: Sequence[Sequence[int]]) -> Node:
    """Return the node of equal symbols: its definition or, without one, the first declaration."""
    chosen = next((pair for pair in group if pair[1].is_defined), group[0])
    source, fact = chosen
    number_of = numbers[source]
    return Node(
        fact,
        tuple(pair[1] for pair in group if pair is not chosen),
        tuple([number_of[call.callee] for call in fact.calls]),
    )


def _with_conditions(node: Node) -> Node:
    if not any(call.condition for call in node.fact.calls):
        return node
    return node._replace(conditions=tuple(map(_condition, node.fact.calls)))


def _condition(call: Call) -> "Normal":
    """Return the condition of a call in normal form; raise `CompileError` if it is malformed."""
    if not call.condition:
        return True
    try:
        return conditions.normalize(conditions.read_condition(call.condition))
    except FormatError as error:
        raise CompileError(f"{call.place}: error: {error.message}", hint=error.hint) from None


def _kernels(sources: Sequence[Facts], numbers: Sequence[Sequence[int]]) -> Iterable[KernelNode]:
    """Return each kernel once, even if several sources instantiate it."""
    seen: set[tuple[str, str, int, int]] = set()
    for facts, number_of in zip(sources, numbers, strict=True):
        for kernel in facts.kernels:
            if kernel.function is None:
                continue
            inner = kernel.object_function
            # Lambdas of internal functions can have the same name in two sources.
            place = facts.functions[kernel.function if inner is None else inner].place
            key = (kernel.entry_symbol, normpath(place.file), place.line, place.column)
            if key not in seen:
                seen.add(key)
                yield KernelNode(
                    kernel, number_of[kernel.function], None if inner is None else number_of[inner]
                )
