"""What is wrong with device code, found in the call graph.

A finding has a rule, a message with its place, and notes: the attribute, each call, the use.
Which of them the user sees, and how loudly, is for `WarningOptions` to say.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dovetail import conditions
from dovetail.analysis.conditional_ways import as_users_see_it
from dovetail.analysis.graph import CallStep, Graph, KernelNode, Node, way_to
from dovetail.analysis.kernels import KernelReport, report_kernels
from dovetail.analysis.rules import (
    FIXED_TARGETS,
    MISFIT,
    MISMATCHED_ASPECTS,
    MISMATCHED_EXTERNAL,
    MISMATCHED_REQUIREMENTS,
    RECURSION,
    SIZE_WITHOUT_KERNEL,
    UNDECLARED_ASPECT,
    Rule,
    rule_of_violation,
)
from dovetail.analysis.uses import Chain, Uses, aspect_text, declared_text, kind_of
from dovetail.facts import FunctionFact, Place, Violation
from dovetail.fit import AspectReason, Reason
from dovetail.graphs import from_bits, to_bits
from dovetail.kernel_properties import read_kernel_properties
from dovetail.targets import Table, Target
from dovetail.targets.fit_text import fit_text


@dataclass(frozen=True)
class Note:
    """One place more that belongs to a finding."""

    message: str
    place: Place
    is_step: bool = False
    """Whether it is one of the calls, or the use that they lead to."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    rule: Rule
    message: str
    place: Place
    notes: tuple[Note, ...] = field(default=())


def find_all(
    graph: Graph, uses: Uses, fixed_targets: Sequence[Target] = (), table: Table | None = None
) -> list[Finding]:
    """Everything that is wrong, sorted by place, if the program is fixed to these targets.

    `table` is the configuration that they are from, if it is not the default one.

    An internal function of a header is another one in each source; what is wrong with it is said
    once.
    """
    found = [
        *undeclared_aspects(graph, uses, table),
        *mismatched_aspects(graph),
        *mismatched_externals(graph),
        *mistaken_sizes(graph),
        *contradictions(graph),
        *violations(graph),
        *recursions(graph),
        *unfit_for_fixed(graph, uses, fixed_targets, table),
    ]
    each_once: dict[tuple[str, Place], Finding] = {}
    for finding in found:
        each_once.setdefault((finding.message, finding.place), finding)
    return sorted(each_once.values(), key=lambda f: (f.place.file, f.place.line, f.place.column))


def undeclared_aspects(graph: Graph, uses: Uses, table: Table | None = None) -> Iterator[Finding]:
    """Functions that use an aspect which their attribute does not list, a finding for each.

    Under a condition, that is none if every device has the aspect for which the condition holds, by
    what `table` says.
    """
    conditional = uses.uncertain(table)
    for number, node in enumerate(graph.nodes):
        if node.promise is None or not node.fact.is_defined:
            continue
        code = graph.nodes[_users_code(graph, number)]
        for aspect in uses.undeclared(number):
            # That a kernel's object says something else is a contradiction, and told as one.
            if code is not node and aspect in code.promised_aspects:
                continue
            start = _start_of_chain(graph, uses, number, aspect)
            yield _undeclared(graph, number, aspect, uses.chain_of_code(start, aspect))
        for condition, bits in conditional.get(number, {}).items():
            for aspect in from_bits(bits & ~to_bits(node.promise.aspects)):
                chain = uses.chain_if(number, condition, aspect)
                where = f", if {conditions.in_words(condition)},"
                yield _undeclared(graph, number, aspect, chain, where)


def _undeclared(graph: Graph, number: int, aspect: int, chain: Chain, where: str = "") -> Finding:
    """`where` says on which devices, if not on all."""
    promise = graph.nodes[number].promise
    assert promise
    name, kind = aspect_text(aspect), kind_of(promise)
    here = () if promise.is_property else (Note("attribute is here", promise.place),)
    return Finding(
        UNDECLARED_ASPECT,
        f"{subject(graph, number)} uses{where} aspect '{name}', which its {kind}"
        f" '{promise.attribute}' does not list",
        graph.nodes[_users_code(graph, number)].fact.place,
        (
            *here,
            *call_notes(graph, chain.steps),
            Note(f"uses aspect '{name}' here: {chain.use.what}", chain.use.place, True),
        ),
    )


def _users_code(graph: Graph, number: int) -> int:
    """Of a kernel's function that our headers define, the kernel object's operator."""
    kernel = graph.kernel_of.get(number)
    return kernel.code if kernel else number


def _start_of_chain(graph: Graph, uses: Uses, number: int, aspect: int) -> int:
    """The user's code, if what is used is used there: what lies before it is our headers'."""
    code = _users_code(graph, number)
    return code if aspect in uses.by_code(code) else number


def violations(graph: Graph) -> Iterator[Finding]:
    """What SYCL forbids, each place once, with the shortest way from the first kernel."""
    seen: set[Place] = set()
    for arrivals in _arrivals_by_roots(graph):
        for number in arrivals:
            for violation in sorted(graph.nodes[number].fact.violations, key=_is_undefined):
                if violation.place in seen:
                    continue
                seen.add(violation.place)
                root, steps = way_to(number, arrivals)
                what = violation.what if _is_undefined(violation) else _forbidden(violation.what)
                yield Finding(
                    rule_of_violation(violation),
                    f"{subject(graph, root)} {what}",
                    violation.place,
                    call_notes(graph, steps),
                )


def _is_undefined(violation: Violation) -> bool:
    """Whether nothing is forbidden, only missing; whatever else is wrong there matters more."""
    return violation.rule == "undefined-function"


def recursions(graph: Graph) -> Iterator[Finding]:
    """Functions that call themselves, maybe through others; one finding for those that cross."""
    cyclic = [set(component) for component in graph.components if _is_cyclic(graph, component)]
    if not cyclic:
        return
    component_of = {member: component for component in cyclic for member in component}
    seen: set[int] = set()
    for arrivals in _arrivals_by_roots(graph):
        for number in arrivals:
            if number in seen or number not in component_of:
                continue
            seen |= component_of[number]
            root, steps = way_to(number, arrivals)
            cycle = _shortest_cycle(graph, number, component_of[number])
            yield Finding(
                RECURSION,
                f"{subject(graph, root)} {_recursion_text(graph, root, cycle)}",
                graph.nodes[number].fact.place,
                call_notes(graph, (*steps, *cycle)),
            )


def mismatched_aspects(graph: Graph) -> Iterator[Finding]:
    """Declarations that promise something else than the definition, or than the first of them."""
    for node in graph.nodes:
        if not node.others or not node.fact.is_external:
            continue
        seen = {_promised(node.fact)}
        for other in node.others:
            if _promised(other) in seen:
                continue
            seen.add(_promised(other))
            yield _mismatch(node, other)


def mismatched_externals(graph: Graph) -> Iterator[Finding]:
    """Functions that are kernels, and SYCL_EXTERNAL elsewhere but not where they are defined."""
    for number in dict.fromkeys(kernel.function for kernel in graph.kernels):
        node = graph.nodes[number]
        if not node.others:
            continue
        facts = (node.fact, *node.others)
        definition = next((f for f in facts if f.is_defined and not f.is_external), None)
        other = next((fact for fact in facts if fact.is_external), None)
        if definition and other:
            yield Finding(
                MISMATCHED_EXTERNAL,
                f"'{other.name}' is SYCL_EXTERNAL here, but not where it is defined as a kernel",
                other.place,
                (Note("defined here", definition.place),),
            )


def mistaken_sizes(graph: Graph) -> Iterator[Finding]:
    """Sizes that are required where none can be, or twice."""
    for number, node in enumerate(graph.nodes):
        if number in graph.kernel_of:
            continue
        for what in _required_sizes(node.fact):
            yield Finding(
                SIZE_WITHOUT_KERNEL,
                f"function '{node.fact.name}' requires a {what}, which only a kernel can;"
                " it is ignored",
                node.fact.place,
            )


def contradictions(graph: Graph) -> Iterator[Finding]:
    """What properties, attributes and the kernel object say of one kernel, and differently."""
    for number, node in enumerate(graph.nodes):
        if node.fact.attributes:
            yield from _property_against_attribute(graph, number)
    for kernel in graph.kernels:
        if kernel.code != kernel.function:
            yield from _call_against_object(graph, kernel)


def _property_against_attribute(graph: Graph, number: int) -> Iterator[Finding]:
    fact = graph.nodes[number].fact
    # Where there are both, facts have what the attribute says.
    by_attribute = _required(fact)
    for what, value in _in_words(*read_kernel_properties(fact.attributes)).items():
        if value and by_attribute[what] != value:
            yield Finding(
                MISMATCHED_REQUIREMENTS,
                f"{subject(graph, number)} requires {what} {value} by a property,"
                f" {by_attribute[what]} by an attribute",
                fact.place,
            )


def _call_against_object(graph: Graph, kernel: KernelNode) -> Iterator[Finding]:
    outer, inner = graph.nodes[kernel.function].fact, graph.nodes[kernel.code].fact
    of_object = _required(inner)
    for what, value in _required(outer).items():
        if value and of_object[what] and value != of_object[what]:
            yield Finding(
                MISMATCHED_REQUIREMENTS,
                f"kernel '{kernel.fact.name}' requires {what} {value}, the operator() of its"
                f" object {of_object[what]}",
                inner.place,
            )


def _required(fact: FunctionFact) -> dict[str, str]:
    """What a function requires, in words; no words where it requires nothing."""
    return _in_words(
        fact.declared and fact.declared.aspects,
        fact.reqd_work_group_size,
        fact.work_group_size_hint,
        fact.reqd_sub_group_size,
    )


def _in_words(
    aspects: Sequence[int] | None,
    work_group_size: tuple[int, ...],
    work_group_size_hint: tuple[int, ...],
    sub_group_size: int | None,
) -> dict[str, str]:
    listed = None if aspects is None else ", ".join(map(aspect_text, sorted({*aspects})))
    return {
        "aspects": "" if listed is None else listed or "none",
        "work-group size": size_text(work_group_size),
        "a hint of work-group size": size_text(work_group_size_hint),
        "sub-group size": size_text(sub_group_size or ()),
    }


def misfits(
    graph: Graph, kernels: Iterable[KernelReport], rule: Rule = MISFIT
) -> Iterator[Finding]:
    """Kernels that need what a target lacks, a finding for each of both."""
    for kernel in kernels:
        for target, found in kernel.fits.items():
            if found.verdict == "no":
                yield Finding(
                    rule,
                    f"kernel '{kernel.name}' does not fit target '{target}', which lacks"
                    f" {', '.join(fit_text(found).missing)}",
                    kernel.place,
                    tuple(_reasons(graph, kernel, target, found.missing)),
                )


def unfit_for_fixed(
    graph: Graph, uses: Uses, targets: Sequence[Target], table: Table | None = None
) -> Iterator[Finding]:
    """Kernels that cannot run on a target which the program is fixed to."""
    if targets:
        yield from misfits(graph, report_kernels(graph, uses, targets, table), FIXED_TARGETS)


def _reasons(
    graph: Graph, kernel: KernelReport, target: str, missing: Sequence[Reason]
) -> Iterator[Note]:
    chains = dict(kernel.aspects)
    if target in kernel.decisions:
        for use in kernel.decisions[target].uses:
            chains.setdefault(aspect_text(use.aspect), use.chain)
    for reason in missing:
        if isinstance(reason, AspectReason):
            name = aspect_text(reason.aspect)
            chain = chains[name]
            yield from call_notes(graph, chain.steps)
            yield Note(f"uses aspect '{name}' here: {chain.use.what}", chain.use.place, True)


def subject(graph: Graph, number: int) -> str:
    """A function at the start of a message: kernels by their names, others by their own."""
    kernel = graph.kernel_of.get(number)
    if kernel:
        return f"kernel '{kernel.fact.name}'"
    return f"function '{graph.nodes[number].fact.name}'"


def call_notes(graph: Graph, steps: tuple[CallStep, ...]) -> tuple[Note, ...]:
    """A note for each call."""
    return tuple(
        Note(
            f"'{function_name(graph, step.caller)}' calls '{graph.nodes[step.callee].fact.name}'"
            f" here{condition_text(step)}",
            step.place,
            is_step=True,
        )
        for step in as_users_see_it(graph, steps)
    )


def condition_text(step: CallStep) -> str:
    """What follows in the text about a call that is made on some devices alone."""
    if isinstance(step.condition, bool):
        return ""
    return f", if {conditions.in_words(step.condition)}"


def function_name(graph: Graph, number: int) -> str:
    """How messages call a function that has been mentioned or will be."""
    kernel = graph.kernel_of.get(number)
    return kernel.fact.name if kernel else graph.nodes[number].fact.name


def _arrivals_by_roots(graph: Graph) -> Iterator[dict[int, CallStep | None]]:
    """The ways from kernels, then those from SYCL_EXTERNAL functions to what no kernel reaches."""
    # A kernel's own function comes behind the user's code, so that no way starts in our headers.
    from_kernels = graph.arrivals(
        [kernel.code for kernel in graph.kernels] + [kernel.function for kernel in graph.kernels]
    )
    yield from_kernels
    externals = [
        number
        for number, node in enumerate(graph.nodes)
        if node.fact.is_external and node.fact.is_defined and number not in from_kernels
    ]
    arrivals = graph.arrivals(externals)
    yield {number: step for number, step in arrivals.items() if number not in from_kernels}


def _is_cyclic(graph: Graph, component: Sequence[int]) -> bool:
    if len(component) > 1:
        return True
    return component[0] in graph.nodes[component[0]].callees


def _shortest_cycle(graph: Graph, start: int, component: set[int]) -> tuple[CallStep, ...]:
    """The calls from a function back to itself."""
    found: dict[int, CallStep | None] = {start: None}
    pending = [start]
    for caller in pending:
        for callee in graph.nodes[caller].callees:
            if callee == start:
                return (*way_to(caller, found)[1], graph.step(caller, callee))
            if callee in component and callee not in found:
                found[callee] = graph.step(caller, callee)
                pending.append(callee)
    raise AssertionError("a component of several functions has a cycle through each of them")


def _recursion_text(graph: Graph, root: int, cycle: Sequence[CallStep]) -> str:
    start = cycle[0].caller
    through = [f"'{graph.nodes[step.callee].fact.name}'" for step in cycle[:-1]]
    way = f" through {', '.join(through)}" if through else ""
    if start == root:
        return _forbidden(f"calls itself{way}")
    return _forbidden(f"reaches '{graph.nodes[start].fact.name}', which calls itself{way}")


def _forbidden(what: str) -> str:
    """`throws an exception` as a message ends."""
    return f"{what}; device code cannot" if "which" in what else f"{what}, which device code cannot"


def _promised(fact: FunctionFact) -> frozenset[int] | None:
    return frozenset(fact.declared.aspects) if fact.declared else None


def _mismatch(node: Node, other: FunctionFact) -> Finding:
    main = node.fact
    role = "defined" if main.is_defined else "declared elsewhere"
    return Finding(
        MISMATCHED_ASPECTS,
        f"'{other.name}' is declared with {declared_text(other.declared)} here but {role} with"
        f" {declared_text(main.declared)}",
        other.declared.place if other.declared else other.place,
        (Note(f"{role} here", main.declared.place if main.declared else main.place),),
    )


def _required_sizes(fact: FunctionFact) -> Iterator[str]:
    if fact.reqd_work_group_size:
        yield "work-group size"
    if fact.reqd_sub_group_size is not None:
        yield "sub-group size"


def size_text(size: int | tuple[int, ...]) -> str:
    """A size as a message spells it: 16, or 8x8."""
    return str(size) if isinstance(size, int) else "x".join(map(str, size))
