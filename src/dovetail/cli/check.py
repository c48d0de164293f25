"""`dovetail check`: report the aspects of kernels, their fit for targets, and errors."""

import json
from collections.abc import Sequence
from pathlib import Path

from dovetail.analysis import (
    DOES_NOT_COMPILE,
    MISFIT,
    Finding,
    KernelReport,
    Level,
    SourceLines,
    WarningOptions,
    message_text,
    misfits,
    parse_warning_options,
)
from dovetail.analysis.sarif import sarif_log
from dovetail.cli.arguments import help_rows, read_configuration
from dovetail.cli.check_report import as_json, as_text, summary
from dovetail.cli.command_line import CommandLine
from dovetail.cli.diagnostics import print_messages
from dovetail.cli.execution_options import execution_options
from dovetail.cli.jobs import print_dry_run
from dovetail.driver import Checked, CheckRequest, check_sources, options as o
from dovetail.driver.target_choice import listed_names
from dovetail.errors import UsageError
from dovetail.facts import Place
from dovetail.files import write_atomically
from dovetail.frontend import error_heads
from dovetail.targets import Table, Target

TARGETS = o.Option(
    "--targets", o.Form.LONG, "comma-separated targets to check kernels against", "LIST"
)
REQUIRE_FIT = o.Option(
    "--require-fit", o.Form.FLAG, "report a kernel that does not fit a target as an error"
)
JSON = o.Option("--json", o.Form.FLAG, "print JSON instead of text")
SARIF = o.Option("--sarif", o.Form.FLAG, "print SARIF 2.1.0 instead of text")
SARIF_FILE = o.Option("--sarif=", o.Form.JOINED, "also write SARIF 2.1.0 to FILE", "FILE")

_COMPILER_OPTIONS = tuple(
    option
    for option in o.OPTIONS
    if option not in (o.FSYCLBIN, o.SHARED, o.OUTPUT, o.VERSION, o.DEVICE_CONFIG_FILE)
)
_OPTIONS = (
    TARGETS,
    REQUIRE_FIT,
    JSON,
    SARIF,
    SARIF_FILE,
    o.LONG_DEVICE_CONFIG_FILE,
    o.DEVICE_CONFIG_FILE,
    *_COMPILER_OPTIONS,
)

Results = list[tuple[Finding, Level]]


def run(args: Sequence[str]) -> int:
    """See `dovetail check --help`."""
    line = CommandLine.read(args, _OPTIONS)
    if line.has(o.HELP):
        print(help_text())
        return 0
    if line.has(JSON) and line.has(SARIF):
        raise UsageError(
            "'--json' and '--sarif' cannot be combined",
            hint="write SARIF to a file: --sarif=FILE",
        )
    table = read_configuration([Path(file) for file in line.device_config_files])
    targets = _targets(line, table)
    fixed = _named(line.values.get(o.FIXED_TARGETS.spelling), table)
    request = _request(line, targets, fixed)
    sarif = line.output(SARIF_FILE, line.inputs) if line.has(SARIF_FILE) else None
    if line.is_dry_run:
        print_dry_run(line, request)
        return 0
    with execution_options(line, request) as execution:
        checked = check_sources(request, execution)
        kernels = checked.analysis.kernels(targets, table)
        options = parse_warning_options(line.warnings)
        found = checked.analysis.findings(fixed, table)
        results = _results(checked, found, kernels, options, require_fit=line.has(REQUIRE_FIT))
    lines = SourceLines()
    _print_messages(checked, results, options, lines)
    _print_report(line, checked, kernels, results, lines, sarif)
    return 1 if any(level != "note" for _, level in results) else 0


def help_text() -> str:
    """Return the output of `dovetail check --help`."""
    return f"""\
usage: dovetail check [OPTION]... SOURCE...

Analyze device code without generating code. For each kernel, report the aspects
that it uses, the place of the first use and the calls that lead there, its
required sizes, and whether it fits the given targets. Sources are analyzed as
if they were linked together. Uses of undeclared aspects, and features that SYCL
forbids in device code, are reported in the format of clang's diagnostics.

examples:
  dovetail check app.cpp kernels.cpp
  dovetail check --targets intel_gpu_pvc,intel_gpu_acm_g10 -Iinclude src/*.cpp
  dovetail check --require-fit --targets intel_gpu_pvc --sarif=a.sarif app.cpp

options:
{help_rows((option.usage(), option.help) for option in _OPTIONS)}

exit status:
  0: no findings; 1: warnings or errors in device code, sources that do not
  compile, or with --require-fit, kernels that do not fit a target;
  2: usage error; 70: internal error"""


def _targets(line: CommandLine, table: Table) -> tuple[Target, ...]:
    """Return the targets to check against: of --targets, or else of -fsycl-targets."""
    names = line.values.get(TARGETS.spelling, line.values.get(o.TARGETS.spelling))
    if line.has(REQUIRE_FIT) and names is None:
        raise UsageError(f"'{REQUIRE_FIT.spelling}' needs targets", hint=f"add {TARGETS.usage()}")
    return _named(names, table)


def _named(names: str | None, table: Table) -> tuple[Target, ...]:
    """Return the targets of a list, each once, even if no code can be generated for it."""
    listed = table.expand(() if names is None else listed_names(names))
    return tuple({target.name: target for target in map(table.__getitem__, listed)}.values())


def _request(
    line: CommandLine, targets: tuple[Target, ...], fixed: tuple[Target, ...]
) -> CheckRequest:
    flags = line.flags(targets)._replace(fixed_targets=fixed)
    return CheckRequest(tuple(dict.fromkeys(line.sources())), flags)


def _results(
    checked: Checked,
    found: Sequence[Finding],
    kernels: Sequence[KernelReport],
    options: WarningOptions,
    *,
    require_fit: bool,
) -> Results:
    """Return all findings that are not suppressed, with their levels."""
    rule = MISFIT._replace(level="error") if require_fit else MISFIT
    findings = [
        *_refusals(checked),
        *found,
        *misfits(checked.analysis.graph, kernels, rule),
    ]
    results: Results = []
    for finding in findings:
        level = options.level(finding.rule)
        if level is not None:
            results.append((finding, level))
    return results


def _refusals(checked: Checked) -> list[Finding]:
    """Return clang's errors as findings; without any, one for each source that failed."""
    if not checked.refused:
        return []
    heads = error_heads(checked.messages)
    errors = [
        Finding(DOES_NOT_COMPILE, head.message, Place(head.file, head.line, head.column))
        for head in heads
    ]
    return errors or [
        Finding(DOES_NOT_COMPILE, f"'{path}' does not compile", Place(path, 1, 1))
        for path in checked.refused
    ]


def _print_messages(
    checked: Checked, results: Results, options: WarningOptions, lines: SourceLines
) -> None:
    """Print clang's messages unchanged, then the findings in the same format."""
    if checked.messages:
        print_messages(checked.messages)
    for finding, level in results:
        # Notes, about kernels that do not fit, are part of the report.
        if finding.rule is not DOES_NOT_COMPILE and level != "note":
            print_messages(message_text(finding, options, lines))


def _print_report(
    line: CommandLine,
    checked: Checked,
    kernels: Sequence[KernelReport],
    results: Results,
    lines: SourceLines,
    sarif: Path | None,
) -> None:
    log = sarif_log(results, lines, root=Path.cwd(), complete=not checked.refused)
    if sarif:
        write_atomically(sarif, (json.dumps(log, indent=2) + "\n").encode())
    if line.has(SARIF):
        print(json.dumps(log, indent=2))
    elif line.has(JSON):
        # Notes, about kernels that do not fit, are part of the kernels' entries.
        reported = [result for result in results if result[1] != "note"]
        print(json.dumps(as_json(checked.analysis.graph, kernels, reported), indent=2))
    else:
        for text in as_text(checked.analysis.graph, kernels):
            print(text)
        print(summary(kernels, results, len(line.inputs), fit_required=line.has(REQUIRE_FIT)))
