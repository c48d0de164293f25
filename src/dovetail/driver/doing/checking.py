"""What the plugin sees in sources, analysed, and what is wrong with it, reported as clang does."""

from collections.abc import Sequence
from typing import Any, cast

from dovetail.analysis import (
    Analysis,
    Finding,
    SourceLines,
    message_text,
    read_warning_words,
)
from dovetail.driver.binding import Job
from dovetail.driver.doing.bench import Task
from dovetail.errors import CompileError
from dovetail.facts import Facts
from dovetail.facts_json import parse_facts
from dovetail.frontend import Source, load_facts


def freeze_facts(task: Task, made: Facts | CompileError) -> bytes | None:
    return None if isinstance(made, CompileError) else task.job.outputs[0].read_bytes()


def thaw_facts(job: Job, content: bytes, bench: object) -> Facts:
    return parse_facts(content, job.action.unique_prefix)


def analyze(job: Job, inputs: list[Any]) -> Analysis:
    """All sources that compile, taken together."""
    made = cast(list[Facts | CompileError], inputs)
    return Analysis.of([facts for facts in made if isinstance(facts, Facts)])


def report_source(task: Task) -> None:
    """What the plugin saw in a source that is wrong."""
    facts = load_facts(task.job.outputs[1], task.action.unique_prefix)
    found = Analysis.of([facts]).findings(task.action.fixed_targets, task.action.table)
    report(task, found, [task.source])


def report(task: Task, findings: Sequence[Finding], sources: Sequence[Source]) -> None:
    """Keep warnings with clang's; `CompileError` with everything if one of them is an error."""
    options = read_warning_words(task.action.warnings)
    lines = SourceLines({source.path: source.text for source in sources if not source.is_file})
    texts = [task.messages, *(message_text(finding, options, lines) for finding in findings)]
    task.messages = "\n".join(filter(None, texts))
    errors = [finding for finding in findings if options.level(finding.rule) == "error"]
    if errors:
        raise CompileError(task.messages, hint=errors[0].rule.advice or errors[0].rule.help)
