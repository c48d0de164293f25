"""The steps of `dovetail check`: check each source, then analyze all together."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dovetail.driver.step import AnyStep, Job, Results, SavedResults, Session, Step, Task
from dovetail.driver.steps.device_compile import DeviceSource
from dovetail.errors import CompileError

if TYPE_CHECKING:
    from dovetail.analysis import Analysis
    from dovetail.facts import Facts


class DeviceCheck(DeviceSource["Facts | CompileError"]):
    """Run the front-end over a source. A compile error is a result, so other steps continue."""

    __slots__ = ()
    title = "check"
    makes = "facts"

    def job(self, place: Path, jobs: Mapping[AnyStep, Job]) -> Job:
        facts = place.with_suffix(".facts.json")
        return Job(self, self.check_command(facts), (facts,))

    def run(self, task: Task) -> "Facts | CompileError":
        from dovetail.facts_json import load_facts

        try:
            self.run_clang(task)
        except CompileError as error:
            return error
        return load_facts(task.job.outputs[0], self.unique_prefix)

    def serialize(self, task: Task, result: "Facts | CompileError") -> bytes | None:
        return None if isinstance(result, CompileError) else task.job.outputs[0].read_bytes()

    def deserialize(self, content: bytes, session: Callable[[], Session]) -> "Facts":
        from dovetail.facts_json import parse_facts

        return parse_facts(content, self.unique_prefix)

    def save(self, files: SavedResults, job: Job, result: "Facts | CompileError") -> None:
        files.copy(job.outputs[0], f"{files.stem(self.source)}.device.facts.json")


class SourceAnalysisFields(NamedTuple):
    """The sources to analyze."""

    sources: tuple[DeviceCheck, ...]


class SourceAnalysis(Step["Analysis"], SourceAnalysisFields):
    """Analyze all sources that compile."""

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
