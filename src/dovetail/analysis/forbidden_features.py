"""What SYCL forbids in device code: violations that the front-end recorded, and recursion."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from dovetail.analysis.finding import (
    Finding,
    Note,
    call_notes,
    function_description,
    function_name,
)
from dovetail.analysis.graph import CallStep, Graph, path_to
from dovetail.analysis.rules import RECURSION, rule_of_violation
from dovetail.facts import Place, Violation

_LIBRARY_FUNCTION = "library-function"
"""The rule of calls of functions that are declared in system headers and not defined."""
_VARIADIC = "variadic"
"""The rule of calls of variadic functions, and of `va_arg`."""


def violations(graph: Graph) -> Iterator[Finding]:
    """Yield what SYCL forbids, each place once, with the shortest path from the first kernel.

    Violations in the standard library count as one at each of the user's calls that lead to them.
    Each line of the user's code has at most one of these, and at most one of each wording.
    """
    in_library = _LibraryViolations(graph)
    seen: set[Place] = set()
    lines: set[tuple[str, int, str]] = set()
    kernels: set[str] = set()
    in_headers: list[tuple[int, _FoundViolation]] = []
    for last_calls in _shortest_paths_by_roots(graph):
        for number in last_calls:
            root, steps = path_to(number, last_calls)
            for found in _violations_of(graph, number, steps, in_library):
                if _is_of_variadic_call(graph, found):
                    continue
                if _is_in_headers(graph, number, root):
                    in_headers.append((root, found))
                    continue
                place = found.place
                what = "" if found.is_of_library else found.violation.what
                line = place.file, place.line
                if place in seen or (*line, what) in lines:
                    continue
                seen.add(place)
                lines |= {(*line, what), (*line, "")}
                kernels.add(function_name(graph, root))
                yield _violation(graph, root, found)
    for root, found in in_headers:
        name = function_name(graph, root)
        if name not in kernels:
            kernels.add(name)
            place = graph.nodes[graph.kernel_of[root].code].fact.place
            yield replace(_violation(graph, root, found), place=place)


def _is_in_headers(graph: Graph, number: int, root: int) -> bool:
    """Return whether a function of the SYCL headers handles a kernel object of the user's.

    Its violations are those of the object, which the user's code usually has too.
    """
    kernel = graph.kernel_of.get(root)
    return (
        kernel is not None
        and graph.nodes[number].fact.is_system
        and not graph.nodes[kernel.code].fact.is_system
    )


class _FoundViolation(NamedTuple):
    """A violation and the calls that lead to it."""

    violation: Violation
    steps: tuple[CallStep, ...]
    into_library: CallStep | None = None
    """The call by the user's code, if the violation is in the standard library."""

    @property
    def place(self) -> Place:
        """The place in the user's code."""
        return self.into_library.place if self.into_library else self.violation.place

    @property
    def is_of_library(self) -> bool:
        """Whether a function of the standard library is the reason."""
        return bool(self.into_library) or self.violation.rule == _LIBRARY_FUNCTION


def _violations_of(
    graph: Graph, number: int, steps: tuple[CallStep, ...], in_library: "_LibraryViolations"
) -> Iterator[_FoundViolation]:
    """Yield the violations of a function, and those in the library to which its calls lead."""
    fact = graph.nodes[number].fact
    if fact.is_system and any(not graph.nodes[step.caller].fact.is_system for step in steps):
        return
    for violation in sorted(fact.violations, key=_is_undefined):
        yield _FoundViolation(violation, steps)
    if fact.is_system:
        return
    for callee in dict.fromkeys(graph.nodes[number].callees):
        if callee in in_library.steps:
            call = graph.step(number, callee)
            path, violation = in_library.from_call(call)
            yield _FoundViolation(violation, (*steps, *path), call)


def _is_of_variadic_call(graph: Graph, found: _FoundViolation) -> bool:
    """Return whether a variadic function, whose call is an error, leads to a use of its arguments.

    That is `va_arg`, or a function of the library, such as `vprintf`.
    """
    return (found.violation.rule == _VARIADIC or found.is_of_library) and any(
        known.rule == _VARIADIC and known.place == step.place
        for step in found.steps
        for known in graph.nodes[step.caller].fact.violations
    )


class _LibraryViolations:
    """The violations to which functions in system headers lead, without calling the user's code."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.steps: dict[int, CallStep | None] = {}
        """For each such function, the call on its shortest path; None if the violation is its."""
        system = [n for n, node in enumerate(graph.nodes) if node.fact.is_system]
        pending = [number for number in system if graph.nodes[number].fact.violations]
        if not pending:
            return
        callers: dict[int, list[int]] = {}
        for number in system:
            for callee in graph.nodes[number].callees:
                callers.setdefault(callee, []).append(number)
        self.steps |= dict.fromkeys(pending)
        for number in pending:
            for caller in callers.get(number, ()):
                if caller not in self.steps:
                    self.steps[caller] = graph.step(caller, number)
                    pending.append(caller)

    def from_call(self, call: CallStep) -> tuple[tuple[CallStep, ...], Violation]:
        """Return a call by the user's code with the calls after it, and the violation."""
        path = [call]
        while step := self.steps[path[-1].callee]:
            path.append(step)
        violations = self._graph.nodes[path[-1].callee].fact.violations
        return tuple(path), min(violations, key=_is_undefined)


def _violation(graph: Graph, root: int, found: _FoundViolation) -> Finding:
    """Return the finding for a violation."""
    what = found.violation.what
    notes = call_notes(graph, found.steps)
    if found.into_library:
        callee = graph.nodes[found.into_library.callee].fact.name
        notes = (*notes, Note(f"this {what}", found.violation.place, is_step=True))
        what = f"calls '{callee}', which {what}"
    text = what if _is_undefined(found.violation) else _forbidden(what)
    return Finding(
        rule_of_violation(found.violation),
        f"{function_description(graph, root)} {text}",
        found.place,
        notes,
    )


def _is_undefined(violation: Violation) -> bool:
    """Return whether only a definition is missing; other violations at a place take precedence."""
    return violation.rule in (_LIBRARY_FUNCTION, "undefined-function")


def _forbidden(what: str) -> str:
    """Return the end of a message about a violation, such as `throws an exception`."""
    link = "; this" if ", which" in what else ", which"
    return f"{what}{link} is not allowed in device code"


def recursions(graph: Graph) -> Iterator[Finding]:
    """Yield a finding for each group of mutually recursive functions."""
    cyclic = [set(component) for component in graph.components if _is_cyclic(graph, component)]
    if not cyclic:
        return
    component_of = {member: component for component in cyclic for member in component}
    seen: set[int] = set()
    for last_calls in _shortest_paths_by_roots(graph):
        for number in last_calls:
            if number in seen or number not in component_of:
                continue
            seen |= component_of[number]
            root, steps = path_to(number, last_calls)
            cycle = _shortest_cycle(graph, number, component_of[number])
            into_library = _call_into_library(graph, number, steps)
            yield Finding(
                RECURSION,
                f"{function_description(graph, root)} {_recursion_text(graph, root, cycle)}",
                into_library.place if into_library else graph.nodes[number].fact.place,
                call_notes(graph, (*steps, *cycle)),
            )


def _call_into_library(graph: Graph, number: int, steps: tuple[CallStep, ...]) -> CallStep | None:
    """Return the last call by the user's code before a function in a system header.

    Kernels whose own code is in a system header have no such call.
    """
    if not graph.nodes[number].fact.is_system:
        return None
    return next(
        (step for step in reversed(steps) if not graph.nodes[step.caller].fact.is_system), None
    )


def _is_cyclic(graph: Graph, component: Sequence[int]) -> bool:
    if len(component) > 1:
        return True
    return component[0] in graph.nodes[component[0]].callees


def _shortest_cycle(graph: Graph, start: int, component: set[int]) -> tuple[CallStep, ...]:
    """Return the calls of the shortest cycle through a function."""
    found: dict[int, CallStep | None] = {start: None}
    pending = [start]
    for caller in pending:
        for callee in graph.nodes[caller].callees:
            if callee == start:
                return (*path_to(caller, found)[1], graph.step(caller, callee))
            if callee in component and callee not in found:
                found[callee] = graph.step(caller, callee)
                pending.append(callee)
    raise AssertionError("every function of a cyclic component is on a cycle")


def _recursion_text(graph: Graph, root: int, cycle: Sequence[CallStep]) -> str:
    start = cycle[0].caller
    through = [f"'{graph.nodes[step.callee].fact.name}'" for step in cycle[:-1]]
    path = f" through {', '.join(through)}" if through else ""
    reached = "" if start == root else f"reaches '{graph.nodes[start].fact.name}', which "
    return f"{reached}calls itself{path}; recursion is not allowed in device code"


def _shortest_paths_by_roots(graph: Graph) -> Iterator[dict[int, CallStep | None]]:
    """Yield the paths from kernels, then those from SYCL_EXTERNAL functions to other functions."""
    # The user's code comes before the kernel function, so that paths do not start in the headers.
    from_kernels = graph.shortest_paths(
        [kernel.code for kernel in graph.kernels] + [kernel.function for kernel in graph.kernels]
    )
    yield from_kernels
    externals = [
        number
        for number, node in enumerate(graph.nodes)
        if node.fact.is_external and node.fact.is_defined and number not in from_kernels
    ]
    last_calls = graph.shortest_paths(externals)
    yield {number: step for number, step in last_calls.items() if number not in from_kernels}
