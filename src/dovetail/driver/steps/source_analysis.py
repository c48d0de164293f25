"""Analyse the facts of all sources together, for `dovetail check`."""

from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Results, Step
from dovetail.driver.steps.device_check import DeviceCheck
from dovetail.errors import CompileError

if TYPE_CHECKING:
    from dovetail.analysis import Analysis


class SourceAnalysisFields(NamedTuple):
    """What is analysed."""

    sources: tuple[DeviceCheck, ...]


class SourceAnalysis(Step["Analysis"], SourceAnalysisFields):
    """The analysis of all sources that compile."""

    __slots__ = ()
    title = "analysis"
    makes = "findings"
    is_immediate = True
    can_be_cached = False

    def inputs(self) -> tuple[AnyStep, ...]:
        return self.sources

    def words(self) -> tuple[str, ...]:
        return ("analyze", *(each.source.path for each in self.sources))

    def combine(self, results: Results) -> "Analysis":
        from dovetail.analysis import Analysis

        found = results.all_of(self.sources)
        return Analysis.of([facts for facts in found if not isinstance(facts, CompileError)])
