"""What is wrong with device code, told as clang tells it."""

from collections.abc import Sequence

from dovetail.analysis import (
    Analysis,
    Finding,
    SourceLines,
    message_text,
    read_warning_words,
)
from dovetail.driver.doing.bench import Task
from dovetail.errors import CompileError
from dovetail.frontend import Source, load_facts


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
