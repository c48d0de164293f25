"""What can be said of each kernel: the aspects it uses and why, its sizes, where it fits."""

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
    """An aspect that a kernel uses on some devices alone."""

    condition: "Condition"
    aspect: int
    chain: Chain
    """Its first use under this condition."""


class Decision(NamedTuple):
    """What the conditions of a kernel come to on a target."""

    uses: tuple[ConditionalUse, ...]
    """Those whose conditions hold."""
    assumed_missing: tuple[str, ...]
    """Unknown aspects on which it depends: they are taken as missing."""


class KernelReport(NamedTuple):
    """One kernel."""

    name: str
    symbol: str
    """The name of its entry point."""
    place: Place
    """Of the code that the user wrote: a function, or the kernel object's `operator()`."""
    aspects: dict[str, Chain]
    """The first use of each aspect, in the order of their numbers."""
    conditional: tuple[ConditionalUse, ...]
    """What it uses on some devices alone, by condition."""
    reqd_work_group_size: tuple[int, ...]
    """As written; empty if none is required."""
    reqd_sub_group_size: int | None
    fits: dict[str, Fit]
    """Whether it runs on each target that was asked about, by name."""
    decisions: dict[str, Decision]
    """What its conditions come to on each of them; empty if it has none."""


def report_kernels(
    graph: Graph, uses: Uses, targets: Iterable[Target] = (), table: Table | None = None
) -> list[KernelReport]:
    """What is known of all kernels, in the order of the sources.

    `table` is the configuration that the targets are from, if it is not the default one.
    """
    wanted = tuple(targets)
    known = table or default_table().with_targets(wanted)
    return [_report(graph, uses, kernel, wanted, known) for kernel in graph.kernels]


def _report(
    graph: Graph, uses: Uses, kernel: KernelNode, targets: tuple[Target, ...], table: Table
) -> KernelReport:
    outer, inner = graph.nodes[kernel.function].fact, graph.nodes[kernel.code].fact
    by_code = uses.of(kernel.code)
    aspects = sorted({*by_code, *uses.of(kernel.function)})
    # The user's code first: what lies between the kernel's own function and it is our headers'.
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
    decisions = {target.name: _decision(conditional, target, table) for target in targets}
    return KernelReport(
        name=kernel.fact.name,
        symbol=kernel.fact.entry_symbol,
        place=inner.place,
        aspects=chains,
        conditional=conditional,
        reqd_work_group_size=sizes.work_group_size,
        reqd_sub_group_size=sizes.sub_group_size,
        fits={
            target.name: fit(target.capabilities, _required(aspects, decisions[target.name], sizes))
            for target in targets
        },
        decisions=decisions if conditional else {},
    )


def _conditional_uses(uses: Uses, kernel: KernelNode) -> Iterator[ConditionalUse]:
    by_code = uses.conditional(kernel.code)
    for condition, bits in uses.conditional(kernel.function).items():
        for aspect in from_bits(bits):
            is_by_code = by_code.get(condition, 0) >> aspect & 1
            start = kernel.code if is_by_code else kernel.function
            chain = uses.chain_if(start, condition, aspect)
            yield ConditionalUse(condition, aspect, chain)


def _decision(uses: Sequence[ConditionalUse], target: Target, table: Table) -> Decision:
    outcomes = {use.condition: conditions.resolve(use.condition, target, table) for use in uses}
    unknown = {aspect for outcome in outcomes.values() for aspect in outcome.assumed_missing}
    return Decision(
        tuple(use for use in uses if outcomes[use.condition].holds),
        tuple(map(aspect_text, sorted(unknown))),
    )


def _required(certain: Iterable[int], decision: Decision, sizes: Requirements) -> Requirements:
    """Return what a kernel requires of a target on which its conditions come to `decision`."""
    return sizes.with_aspects((*certain, *(use.aspect for use in decision.uses)))
