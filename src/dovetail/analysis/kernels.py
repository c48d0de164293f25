"""What can be said of each kernel: the aspects it uses and why, its sizes, where it fits."""

from collections.abc import Iterable
from dataclasses import dataclass

from dovetail.analysis.graph import Graph, KernelNode
from dovetail.analysis.uses import Chain, Uses, aspect_text
from dovetail.facts import Place
from dovetail.targets import Fit, Target


@dataclass(frozen=True)
class KernelReport:
    """One kernel."""

    name: str
    symbol: str
    """The name of its entry point."""
    place: Place
    """Of the code that the user wrote: a function, or the kernel object's `operator()`."""
    aspects: dict[str, Chain]
    """The first use of each aspect, in the order of their numbers."""
    reqd_work_group_size: tuple[int, ...]
    """As written; empty if none is required."""
    reqd_sub_group_size: int | None
    fits: dict[str, Fit]
    """Whether it runs on each target that was asked about, by name."""


def report_kernels(graph: Graph, uses: Uses, targets: Iterable[Target] = ()) -> list[KernelReport]:
    """What is known of all kernels, in the order of the sources."""
    wanted = tuple(targets)
    return [_report(graph, uses, kernel, wanted) for kernel in graph.kernels]


def _report(
    graph: Graph, uses: Uses, kernel: KernelNode, targets: tuple[Target, ...]
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
    sub_group_size = inner.reqd_sub_group_size or outer.reqd_sub_group_size
    return KernelReport(
        name=kernel.fact.name,
        symbol=kernel.fact.entry_symbol,
        place=inner.place,
        aspects=chains,
        reqd_work_group_size=inner.reqd_work_group_size or outer.reqd_work_group_size,
        reqd_sub_group_size=sub_group_size,
        fits={target.name: _fit(target, aspects, sub_group_size) for target in targets},
    )


def _fit(target: Target, aspects: Iterable[int], sub_group_size: int | None) -> Fit:
    known = [aspect for aspect in aspects if not aspect_text(aspect).isdecimal()]
    nameless = tuple(f"aspect {aspect}" for aspect in aspects if aspect not in known)
    fit = target.fit(known, sub_group_size)
    return Fit(fit.missing, (*fit.unknown, *nameless))
