"""Reports on kernels: used aspects and where, required sizes, and the targets they fit."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dovetail import conditions
from dovetail.analysis.graph import Graph, KernelNode
from dovetail.analysis.uses import Chain, Uses, aspect_text
from dovetail.facts import Place
from dovetail.fit import Fit, Requirements, fit
from dovetail.graphs import from_bits
from dovetail.targets import Table, Target, default_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dovetail.conditions import Condition


class ConditionalUse(NamedTuple):
    """An aspect that a kernel uses under a condition."""

    condition: "Condition"
    aspect: int
    chain: Chain
    """The first use under this condition."""


class KernelResolution(NamedTuple):
    """The outcome of a kernel's conditions for a target."""

    uses: tuple[ConditionalUse, ...]
    """The uses whose conditions hold."""
    assumed_missing: tuple[str, ...]
    """The unknown aspects that the outcome depends on; they count as missing."""


class KernelReport(NamedTuple):
    """A kernel's aspects, sizes and fits."""

    name: str
    symbol: str
    """The symbol of its entry point."""
    place: Place
    """The place of the user's code: a function, or the kernel object's `operator()`."""
    aspects: dict[str, Chain]
    """The first use of each aspect, in the order of their numbers."""
    conditional: tuple[ConditionalUse, ...]
    """The uses under conditions, by condition."""
    reqd_work_group_size: tuple[int, ...]
    """As written; empty if none is required."""
    reqd_sub_group_size: int | None
    fits: dict[str, Fit]
    """Whether it fits each of the given targets, by name."""
    resolutions: dict[str, KernelResolution]
    """The outcome of its conditions for each of them; empty without conditions."""


def report_kernels(
    graph: Graph, uses: Uses, targets: Iterable[Target] = (), table: Table | None = None
) -> list[KernelReport]:
    """Return a report on each kernel, in the order of the sources.

    `table` contains the targets, if it is not the default one.
    """
    requested = tuple(targets)
    known = table or default_table().with_targets(requested)
    return [_report(graph, uses, kernel, requested, known) for kernel in graph.kernels]


def _report(
    graph: Graph, uses: Uses, kernel: KernelNode, targets: tuple[Target, ...], table: Table
) -> KernelReport:
    outer, inner = graph.nodes[kernel.function].fact, graph.nodes[kernel.code].fact
    by_code = uses.of(kernel.code)
    aspects = sorted({*by_code, *uses.of(kernel.function)})
    # Chains start in the user's code if possible: calls before it are in the SYCL headers.
    chains = {
        aspect_text(aspect): uses.chain(
            kernel.code if aspect in by_code else kernel.function, aspect
        )
        for aspect in aspects
    }
    sizes = Requirements(
        sub_group_size=inner.reqd_sub_group_size or outer.reqd_sub_group_size,
        work_group_size=inner.reqd_work_group_size or outer.reqd_work_group_size,
    )
    conditional = tuple(_conditional_uses(uses, kernel))
    resolutions = {target.name: _resolution(conditional, target, table) for target in targets}
    return KernelReport(
        name=kernel.fact.name,
        symbol=kernel.fact.entry_symbol,
        place=inner.place,
        aspects=chains,
        conditional=conditional,
        reqd_work_group_size=sizes.work_group_size,
        reqd_sub_group_size=sizes.sub_group_size,
        fits={
            target.name: fit(
                target.capabilities, _required(aspects, resolutions[target.name], sizes)
            )
            for target in targets
        },
        resolutions=resolutions if conditional else {},
    )


def _conditional_uses(uses: Uses, kernel: KernelNode) -> Iterator[ConditionalUse]:
    by_code = uses.conditional(kernel.code)
    for condition, bits in uses.conditional(kernel.function).items():
        for aspect in from_bits(bits):
            is_by_code = by_code.get(condition, 0) >> aspect & 1
            start = kernel.code if is_by_code else kernel.function
            chain = uses.conditional_chain(start, condition, aspect)
            yield ConditionalUse(condition, aspect, chain)


def _resolution(uses: Sequence[ConditionalUse], target: Target, table: Table) -> KernelResolution:
    """Return which conditional uses remain on a target."""
    outcomes = {use.condition: conditions.resolve(use.condition, target, table) for use in uses}
    unknown = {aspect for outcome in outcomes.values() for aspect in outcome.assumed_missing}
    return KernelResolution(
        tuple(use for use in uses if outcomes[use.condition].holds),
        tuple(map(aspect_text, sorted(unknown))),
    )


def _required(
    unconditional: Iterable[int], resolution: KernelResolution, sizes: Requirements
) -> Requirements:
    """Return a kernel's requirements on a target with this outcome of its conditions."""
    return sizes.with_aspects((*unconditional, *(use.aspect for use in resolution.uses)))
