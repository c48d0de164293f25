"""Report the findings of analysis in clang's format, with advice that clang cannot give."""

import re
from collections.abc import Sequence

from dovetail import analysis, frontend
from dovetail.analysis import Analysis, Finding, parse_warning_options
from dovetail.driver.device_compilations import device_compilations
from dovetail.driver.step import Task
from dovetail.errors import CompileError
from dovetail.facts import Facts
from dovetail.frontend import Flags, Source
from dovetail.targets import Table

_ASKS_FOR_A_TARGET = re.compile(r"static assertion failed.*-fsycl-targets=")


def report_source(task: Task, facts: Facts, source: Source, flags: Flags, table: Table) -> None:
    """Report findings about the plugin's facts of a source."""
    found = Analysis.of([facts]).findings(flags.fixed_targets, table)
    report(task, found, flags.warnings, [source])


def report(
    task: Task,
    findings: Sequence[Finding],
    warnings: Sequence[str],
    sources: Sequence[Source] = (),
) -> None:
    """Add findings to clang's messages; raise `CompileError` if one of them is an error."""
    if not findings:
        return
    options = parse_warning_options(warnings)
    lines = analysis.SourceLines(
        {source.path: source.text for source in sources if not source.is_file}
    )
    texts = [
        task.messages,
        *(analysis.message_text(finding, options, lines) for finding in findings),
    ]
    task.messages = "\n".join(filter(None, texts))
    errors = [finding for finding in findings if options.level(finding.rule) == "error"]
    if errors:
        raise CompileError(task.messages, hint=errors[0].rule.advice or errors[0].rule.help)


def target_macro_advice(messages: str, flags: Flags) -> str:
    """Return a hint if device code asserts that a target's macro is defined, else an empty string.

    A device compilation that several targets share defines none of their macros; a compilation for
    a single target defines that target's macro.
    """
    shared = [
        compilation.targets
        for compilation in device_compilations(flags)
        if len(compilation.targets) > 1
    ]
    heads = frontend.error_heads(messages) if shared else []
    if not any(_ASKS_FOR_A_TARGET.match(head.message) for head in heads):
        return ""
    # Imported late: such messages are rare.
    from dovetail.targets.macros import architecture_macro

    names = [target.name for targets in shared for target in targets]
    if not all(map(architecture_macro, names)):
        return ""
    listed = ", ".join(f"'{name}'" for name in names)
    return (
        f"device code is compiled once for {listed}, so none of their macros is defined in it;"
        " with -fsycl-device-if=macros it is compiled for each of them"
    )
