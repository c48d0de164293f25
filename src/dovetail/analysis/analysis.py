"""The analysis of sources that are linked together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from dovetail.analysis.finding import Finding
from dovetail.analysis.findings import find_all
from dovetail.analysis.graph import Graph, build_graph
from dovetail.analysis.kernels import KernelReport, report_kernels
from dovetail.analysis.uses import Uses
from dovetail.facts import Facts
from dovetail.targets import Table, Target


class Analysis(NamedTuple):
    """The call graph of some sources, and the aspects that its functions use."""

    graph: Graph
    uses: Uses

    @classmethod
    def of(cls, sources: Sequence[Facts]) -> Self:
        """Analyze sources that are or will be linked together."""
        graph = build_graph(sources)
        return cls(graph, Uses(graph))

    def findings(
        self, fixed_targets: Sequence[Target] = (), table: Table | None = None
    ) -> list[Finding]:
        """Return all findings, sorted by place.

        `table` contains the targets, if it is not the default one.
        """
        return find_all(self.graph, self.uses, fixed_targets, table)

    def kernels(
        self, targets: Iterable[Target] = (), table: Table | None = None
    ) -> list[KernelReport]:
        """Return a report on each kernel, in the order of the sources."""
        return report_kernels(self.graph, self.uses, targets, table)
