"""Findings: errors and warnings about device code, from the call graph.

A finding has a rule, a message with its place, and notes: the attribute, each call, the use.
`WarningOptions` determine the level at which it is printed, if at all.
"""

from collections.abc import Iterable, Iterator, Sequence

from dovetail import conditions
from dovetail.analysis.finding import Finding, Note, call_notes, function_description
from dovetail.analysis.forbidden_features import recursions, violations
from dovetail.analysis.graph import Graph, KernelNode, Node
from dovetail.analysis.kernels import KernelReport, report_kernels
from dovetail.analysis.rules import (
    FIXED_TARGETS,
    MISFIT,
    MISMATCHED_ASPECTS,
    MISMATCHED_EXTERNAL,
    MISMATCHED_REQUIREMENTS,
    SIZE_WITHOUT_KERNEL,
    UNDECLARED_ASPECT,
    Rule,
)
from dovetail.analysis.uses import Chain, Uses, aspect_text, declaration_kind, declared_text
from dovetail.facts import FunctionFact, Place
from dovetail.fit import AspectReason, Reason
from dovetail.graphs import from_bits, to_bits
from dovetail.kernel_properties import read_kernel_properties
from dovetail.targets import Table, Target


def find_all(
    graph: Graph, uses: Uses, fixed_targets: Sequence[Target] = (), table: Table | None = None
) -> list[Finding]:
    """Return all findings, sorted by place, each once.

    `table` contains the targets, if it is not the default one. An internal function of a header is
    a different one in each source, but its findings are equal.
    """
    found = [
        *undeclared_aspects(graph, uses, table),
        *mismatched_aspects(graph),
        *mismatched_externals(graph),
        *misplaced_sizes(graph),
        *conflicting_requirements(graph),
        *violations(graph),
        *recursions(graph),
        *fixed_target_misfits(graph, uses, fixed_targets, table),
    ]
    unique: dict[tuple[str, Place], Finding] = {}
    for finding in found:
        unique.setdefault((finding.message, finding.place), finding)
    return sorted(unique.values(), key=lambda f: (f.place.file, f.place.line, f.place.column))


def undeclared_aspects(graph: Graph, uses: Uses, table: Table | None = None) -> Iterator[Finding]:
    """Yield a finding for each aspect that a function uses but its attribute does not list.

    Conditional uses are ignored if, by `table`, every device has the aspect for which the condition
    holds.
    """
    conditional = uses.simplified_conditional(table)
    for number, node in enumerate(graph.nodes):
        if node.declaration is None or not node.fact.is_defined:
            continue
        code = graph.nodes[_user_code(graph, number)]
        for aspect in uses.undeclared(number):
            # A different declaration of the kernel's object is reported as a conflict.
            if code is not node and aspect in code.declared_aspects:
                continue
            start = _start_of_chain(graph, uses, number, aspect)
            yield _undeclared(graph, number, aspect, uses.chain_of_code(start, aspect))
        for condition, bits in conditional.get(number, {}).items():
            for aspect in from_bits(bits & ~to_bits(node.declaration.aspects)):
                chain = uses.conditional_chain(number, condition, aspect)
                where = f" (if {conditions.in_words(condition)})"
                yield _undeclared(graph, number, aspect, chain, where)


def _undeclared(graph: Graph, number: int, aspect: int, chain: Chain, where: str = "") -> Finding:
    """Return the finding for one aspect; `where` is the condition of its use, if any."""
    declaration = graph.nodes[number].declaration
    assert declaration
    name, kind = aspect_text(aspect), declaration_kind(declaration)
    here = () if declaration.is_property else (Note("attribute is here", declaration.place),)
    return Finding(
        UNDECLARED_ASPECT,
        f"{function_description(graph, number)} uses aspect '{name}'{where}, which its {kind}"
        f" '{declaration.attribute}' does not list",
        graph.nodes[_user_code(graph, number)].fact.place,
        (
            *here,
            *call_notes(graph, chain.steps),
            Note(f"uses aspect '{name}' here: {chain.use.what}", chain.use.place, True),
        ),
    )


def _user_code(graph: Graph, number: int) -> int:
    """Return the kernel object's `operator()` for a kernel function in the SYCL headers."""
    kernel = graph.kernel_of.get(number)
    return kernel.code if kernel else number


def _start_of_chain(graph: Graph, uses: Uses, number: int, aspect: int) -> int:
    """Return the user's code if it uses the aspect; calls before it are in the SYCL headers."""
    code = _user_code(graph, number)
    return code if aspect in uses.by_code(code) else number


def mismatched_aspects(graph: Graph) -> Iterator[Finding]:
    """Yield declarations whose aspects differ from the definition's, or from the first one's."""
    for node in graph.nodes:
        if not node.other_facts or not node.fact.is_external:
            continue
        seen = {_declared_set(node.fact)}
        for other in node.other_facts:
            if _declared_set(other) in seen:
                continue
            seen.add(_declared_set(other))
            yield _mismatch(node, other)


def mismatched_externals(graph: Graph) -> Iterator[Finding]:
    """Yield kernel functions that are SYCL_EXTERNAL elsewhere but not in their definition."""
    for number in dict.fromkeys(kernel.function for kernel in graph.kernels):
        node = graph.nodes[number]
        if not node.other_facts:
            continue
        facts = (node.fact, *node.other_facts)
        definition = next((f for f in facts if f.is_defined and not f.is_external), None)
        other = next((fact for fact in facts if fact.is_external), None)
        if definition and other:
            yield Finding(
                MISMATCHED_EXTERNAL,
                f"kernel '{other.name}' is SYCL_EXTERNAL here but not in its definition",
                other.place,
                (Note("defined here", definition.place),),
            )


def misplaced_sizes(graph: Graph) -> Iterator[Finding]:
    """Yield functions that require a size but are not kernels."""
    for number, node in enumerate(graph.nodes):
        if number in graph.kernel_of:
            continue
        for what in _required_sizes(node.fact):
            yield Finding(
                SIZE_WITHOUT_KERNEL,
                f"function '{node.fact.name}' is not a kernel; its required {what} is ignored",
                node.fact.place,
            )


def conflicting_requirements(graph: Graph) -> Iterator[Finding]:
    """Yield conflicts between properties, attributes and the kernel object of a kernel."""
    for number, node in enumerate(graph.nodes):
        if node.fact.attributes:
            yield from _property_conflicts(graph, number)
    for kernel in graph.kernels:
        if kernel.code != kernel.function:
            yield from _object_conflicts(graph, kernel)


def _property_conflicts(graph: Graph, number: int) -> Iterator[Finding]:
    """Yield a finding for each requirement that a function's property and attribute disagree on."""
    fact = graph.nodes[number].fact
    # If both exist, facts contain the attribute's values.
    by_attribute = _required(fact)
    for what, value in _requirement_texts(*read_kernel_properties(fact.attributes)).items():
        if value and by_attribute[what] != value:
            yield Finding(
                MISMATCHED_REQUIREMENTS,
                f"{function_description(graph, number)} requires {what} {value} by a property"
                f" but {by_attribute[what]} by an attribute",
                fact.place,
            )


def _object_conflicts(graph: Graph, kernel: KernelNode) -> Iterator[Finding]:
    """Yield a finding for each requirement that a kernel and its operator() disagree on."""
    outer, inner = graph.nodes[kernel.function].fact, graph.nodes[kernel.code].fact
    of_object = _required(inner)
    for what, value in _required(outer).items():
        if value and of_object[what] and value != of_object[what]:
            yield Finding(
                MISMATCHED_REQUIREMENTS,
                f"kernel '{kernel.fact.name}' requires {what} {value}, but the operator() of its"
                f" object requires {of_object[what]}",
                inner.place,
            )


def _required(fact: FunctionFact) -> dict[str, str]:
    """Return a function's requirements as text by kind; empty for what it does not require."""
    return _requirement_texts(
        fact.declared and fact.declared.aspects,
        fact.reqd_work_group_size,
        fact.work_group_size_hint,
        fact.reqd_sub_group_size,
    )


def _requirement_texts(
    aspects: Sequence[int] | None,
    work_group_size: tuple[int, ...],
    work_group_size_hint: tuple[int, ...],
    sub_group_size: int | None,
) -> dict[str, str]:
    listed = None if aspects is None else ", ".join(map(aspect_text, sorted({*aspects})))
    return {
        "aspects": "" if listed is None else listed or "none",
        "work-group size": size_text(work_group_size),
        "work-group size hint": size_text(work_group_size_hint),
        "sub-group size": size_text(sub_group_size or ()),
    }


def misfits(
    graph: Graph, kernels: Iterable[KernelReport], rule: Rule = MISFIT
) -> Iterator[Finding]:
    """Yield a finding for each kernel and target that do not fit."""
    # Imported late: builds without fixed targets do not need it.
    from dovetail.targets.fit_text import fit_text

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


def fixed_target_misfits(
    graph: Graph, uses: Uses, targets: Sequence[Target], table: Table | None = None
) -> Iterator[Finding]:
    """Yield a finding for each kernel that does not fit a fixed target."""
    if targets:
        yield from misfits(graph, report_kernels(graph, uses, targets, table), FIXED_TARGETS)


def _reasons(
    graph: Graph, kernel: KernelReport, target: str, missing: Sequence[Reason]
) -> Iterator[Note]:
    """Yield the calls that lead to each missing aspect, and its use."""
    chains = dict(kernel.aspects)
    if target in kernel.resolutions:
        for use in kernel.resolutions[target].uses:
            chains.setdefault(aspect_text(use.aspect), use.chain)
    for reason in missing:
        if isinstance(reason, AspectReason):
            name = aspect_text(reason.aspect)
            chain = chains[name]
            yield from call_notes(graph, chain.steps)
            yield Note(f"uses aspect '{name}' here: {chain.use.what}", chain.use.place, True)


def _declared_set(fact: FunctionFact) -> frozenset[int] | None:
    return frozenset(fact.declared.aspects) if fact.declared else None


def _mismatch(node: Node, other: FunctionFact) -> Finding:
    """Return the finding for a declaration whose aspects differ from the main one's."""
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
    """Return a size as text: 16, or 8x8."""
    return str(size) if isinstance(size, int) else "x".join(map(str, size))
