"""The static call graph of the functions that device code of one or several sources reaches.

In: the facts of the sources. Out: a node for each function, and ways through them. A function that
several sources know is one node, whether they define it, as with inline functions, or only declare
it; two internal functions never are. A call can be one that is made on some devices alone: then it
has a condition. All of it takes time in proportion to functions and calls, and
none of it recurses, so that chains of calls may be as long as they like.
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
    """One function."""

    fact: FunctionFact
    """Its definition, the first if there are several; else its first declaration."""
    others: tuple[FunctionFact, ...]
    """What other sources know of it."""
    callees: tuple[int, ...]
    """The node behind each of the calls that `fact` has."""
    conditions: "tuple[Normal, ...]" = ()
    """On which devices each of the calls is made; empty if all of them are on all devices."""

    @property
    def certain_callees(self) -> tuple[int, ...]:
        """What it calls on all devices."""
        if not self.conditions:
            return self.callees
        calls = zip(self.callees, self.conditions, strict=True)
        return tuple(callee for callee, condition in calls if condition is True)

    @property
    def promise(self) -> Declaration | None:
        """What it declares where it is defined, else what a declaration elsewhere says."""
        if self.fact.declared or not self.others:
            return self.fact.declared
        return next((fact.declared for fact in self.others if fact.declared), None)

    @property
    def promised_aspects(self) -> set[int]:
        """What any of its declarations lists."""
        facts = (self.fact, *self.others)
        return {aspect for f in facts if f.declared for aspect in f.declared.aspects}


class KernelNode(NamedTuple):
    """One kernel and its functions, by the indices of their nodes."""

    fact: KernelFact
    function: int
    object_function: int | None
    """The `operator()` of the kernel object; None for a plain function."""

    @property
    def code(self) -> int:
        """The function that the user wrote."""
        return self.function if self.object_function is None else self.object_function


class CallStep(NamedTuple):
    """One call on a way through the graph."""

    caller: int
    callee: int
    place: Place
    condition: "Normal" = True
    """On which devices it is made."""


@dataclass(frozen=True)
class Graph:
    """The functions of some sources, their calls, and the kernels among them."""

    nodes: tuple[Node, ...]
    kernels: tuple[KernelNode, ...]
    has_conditions: bool = False
    """Whether any call is one that is made on some devices alone."""

    @cached_property
    def kernel_of(self) -> dict[int, KernelNode]:
        """The first kernel of each function that is one, and of each kernel object's operator."""
        found: dict[int, KernelNode] = {}
        for kernel in self.kernels:
            found.setdefault(kernel.function, kernel)
            found.setdefault(kernel.code, kernel)
        return found

    @cached_property
    def certain_callers(self) -> list[list[int]]:
        """For each function those that call it on all devices."""
        callers: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for callee in node.certain_callees:
                callers[callee].append(number)
        return callers

    @cached_property
    def components(self) -> list[list[int]]:
        """Functions that can all reach each other, together; what is called before who calls it."""
        return components([node.callees for node in self.nodes])

    def edges(self) -> Edges:
        """All calls."""
        callees = [node.callees for node in self.nodes]
        if self.has_conditions:
            callees = [node.certain_callees for node in self.nodes]
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

    def arrivals(self, roots: Iterable[int]) -> dict[int, CallStep | None]:
        """The call by which the shortest way from a root comes to each function; None at roots.

        Where several ways are equally short, the one from the root that comes first is taken.
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
        """One call of a function by another; one that is made on all devices, if there is any."""
        node = self.nodes[caller]
        if not node.conditions:
            return CallStep(caller, callee, node.fact.calls[node.callees.index(callee)].place)
        steps = [step for step in self.steps(caller) if step.callee == callee]
        return next((step for step in steps if step.condition is True), steps[0])

    def steps(self, caller: int) -> Iterator[CallStep]:
        """All calls of a function, in the order of the source."""
        node = self.nodes[caller]
        conditions = node.conditions or repeat(True)
        for call, callee, condition in zip(node.fact.calls, node.callees, conditions, strict=False):
            yield CallStep(caller, callee, call.place, condition)


def way_to(node: int, arrivals: dict[int, CallStep | None]) -> tuple[int, tuple[CallStep, ...]]:
    """The root that a way to a function starts from, and the calls on it."""
    steps: list[CallStep] = []
    while step := arrivals[node]:
        steps.append(step)
        node = step.caller
    return node, tuple(reversed(steps))


def build_graph(sources: Sequence[Facts]) -> Graph:
    """The graph of sources that are, or will be, linked together."""
    groups: list[list[tuple[int, FunctionFact]]] = []
    numbers: list[list[int]] = []
    by_symbol: dict[str, int] = {}
    for source, facts in enumerate(sources):
        numbers.append([])
        # The entry of a kernel whose object is internal has a symbol that another source may have.
        internal = {kernel.function for kernel in facts.kernels if kernel.internal}
        for index, function in enumerate(facts.functions):
            number = len(groups)
            if not function.is_internal and index not in internal:
                number = by_symbol.setdefault(function.symbol, number)
            if number == len(groups):
                groups.append([])
            groups[number].append((source, function))
            numbers[source].append(number)
    # Most sources have none, and then nothing below looks for them.
    has_conditions = any(
        call.condition for facts in sources for each in facts.functions for call in each.calls
    )
    nodes = [_node(group, numbers) for group in groups]
    if has_conditions:
        nodes = [_with_conditions(node) for node in nodes]
    return Graph(tuple(nodes), tuple(_kernels(sources, numbers)), has_conditions)


def _node(group: Sequence[tuple[int, FunctionFact]], numbers: Sequence[Sequence[int]]) -> Node:
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
    if not call.condition:
        return True
    try:
        return conditions.normalize(conditions.read_condition(call.condition))
    except FormatError as error:
        raise CompileError(f"{call.place}: error: {error.message}", hint=error.hint) from None


def _kernels(sources: Sequence[Facts], numbers: Sequence[Sequence[int]]) -> Iterable[KernelNode]:
    """Each kernel once, though several sources may instantiate it."""
    seen: set[tuple[str, str, int, int]] = set()
    for facts, number_of in zip(sources, numbers, strict=True):
        for kernel in facts.kernels:
            if kernel.function is None:
                continue
            inner = kernel.object_function
            # Lambdas of internal functions can have equal names in two sources.
            place = facts.functions[kernel.function if inner is None else inner].place
            key = (kernel.entry_symbol, normpath(place.file), place.line, place.column)
            if key not in seen:
                seen.add(key)
                yield KernelNode(
                    kernel, number_of[kernel.function], None if inner is None else number_of[inner]
                )
