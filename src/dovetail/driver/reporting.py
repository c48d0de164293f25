"""Report what analysis finds in sources, as clang reports its own findings."""

from collections.abc import Sequence

from dovetail.analysis import (
    Analysis,
    Finding,
    SourceLines,
    message_text,
    read_warning_words,
)
from dovetail.driver.step import Task
from dovetail.errors import CompileError
from dovetail.facts import Facts
from dovetail.frontend import Flags, Source
from dovetail.targets import Table


def report_source(task: Task, facts: Facts, source: Source, flags: Flags, table: Table) -> None:
    """Report what the plugin found in a source."""
    found = Analysis.of([facts]).findings(flags.fixed_targets, table)
    report(task, found, flags.warnings, [source])


def report(
    task: Task,
    findings: Sequence[Finding],
    warnings: Sequence[str],
    sources: Sequence[Source] = (),
) -> None:
    """Add warnings to clang's; raise `CompileError` with everything if one of them is an error."""
    options = read_warning_words(warnings)
    lines = SourceLines({source.path: source.text for source in sources if not source.is_file})
    texts = [task.messages, *(message_text(finding, options, lines) for finding in findings)]
    task.messages = "\n".join(filter(None, texts))
    errors = [finding for finding in findings if options.level(finding.rule) == "error"]
    if errors:
        raise CompileError(task.messages, hint=errors[0].rule.advice or errors[0].rule.help)
