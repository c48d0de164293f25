"""All that is asked of some sources, taken together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dovetail.analysis.findings import Finding, find_all
from dovetail.analysis.graph import Graph, build_graph
from dovetail.analysis.kernels import KernelReport, report_kernels
from dovetail.analysis.uses import Uses
from dovetail.facts import Facts
from dovetail.targets import Table, Target


class Analysis(NamedTuple):
    """The graph of some sources, and what is used in it."""

    graph: Graph
    uses: Uses

    @classmethod
    def of(cls, sources: Sequence[Facts]) -> Self:
        """Analyse sources that are, or will be, linked together."""
        graph = build_graph(sources)
        return cls(graph, Uses(graph))

    def findings(
        self, fixed_targets: Sequence[Target] = (), table: Table | None = None
    ) -> list[Finding]:
        """Everything that is wrong, sorted by place, if the program is fixed to these targets.

        `table` is the configuration that they are from, if it is not the default one.
        """
        return find_all(self.graph, self.uses, fixed_targets, table)

    def kernels(
        self, targets: Iterable[Target] = (), table: Table | None = None
    ) -> list[KernelReport]:
        """What is known of all kernels, in the order of the sources."""
        return report_kernels(self.graph, self.uses, targets, table)
