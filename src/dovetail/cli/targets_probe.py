"""`dovetail targets probe`: check the table of targets against the real compilers."""

import json
import sys
from collections.abc import Sequence

from dovetail import probe
from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.output import print_table
from dovetail.cli.progress import Progress
from dovetail.probe import AnswerKind, Cell, Obstacle, ProbeOutcome, Report

_DESCRIPTION = """\
Check the table of targets against the real ahead-of-time compilers: compile
small kernels that each use one optional feature (double, half, 64-bit atomics,
a sub-group size) for each target, and compare acceptance and refusal with the
table. All targets take about a minute. No device is needed.

  agrees        compiler and table agree
  disagrees     compiler and table contradict each other
  unlisted      the compiler accepts a feature for which the table says neither
                yes nor no
  inconclusive  no answer that counts, for the reason that is printed; for
                example, the compiler accepts the feature even for hardware that
                lacks it ("cannot be asked" in JSON)

examples:
  dovetail targets probe
  dovetail targets probe intel_gpu_skl intel_gpu_icllp
  dovetail targets probe --device-config-file mine.yaml my_gpu --json
"""

_EXIT_STATUS = """\
exit status:
  0: nothing disagrees or is unlisted; 1: something does, or error in the input;
  2: usage error; 70: internal error"""

_MARKS = {
    ProbeOutcome.AGREES: "",
    ProbeOutcome.DISAGREES: "DISAGREES",
    ProbeOutcome.UNLISTED: "UNLISTED",
}


def run(args: Sequence[str]) -> int:
    """See `dovetail targets probe --help`."""
    parser = Parser("targets probe", _DESCRIPTION, _EXIT_STATUS)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a target, an alias or a group (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    add_configuration(parser)
    options = parser.parse_args(args)
    table = read_configuration(options.configuration)
    with Progress() as progress:
        report = probe.run(
            table,
            options.names,
            on_progress=lambda done, total: progress.show(f"{done} of {total} kernels"),
        )
    if options.json:
        print(json.dumps(_description(report), indent=2))
    else:
        _print(report)
    return 0 if report.is_clean else 1


def _description(report: Report) -> dict[str, object]:
    return {
        "cells": [
            {
                "target": cell.target,
                "question": cell.question.name,
                "table": cell.listed,
                "compiler": cell.compiler,
                "answer": cell.answer,
                "outcome": cell.outcome,
                "obstacle": cell.obstacle,
                "reason": cell.reason,
            }
            for cell in report.cells
        ],
        "counts": {str(outcome): count for outcome, count in report.counts.items()},
    }


def _print(report: Report) -> None:
    cells = {(cell.target, cell.question.name): cell for cell in report.cells}
    questions = list(dict.fromkeys(cell.question.name for cell in report.cells))
    targets = list(dict.fromkeys(cell.target for cell in report.cells))
    short = [name.replace("sub-group size ", "size ") for name in questions]
    print_table(
        ["target", *short, "compiler"],
        [
            [
                target,
                *(_cell(cells.get((target, question))) for question in questions),
                next((c.compiler for c in report.cells if c.target == target), "") or "-",
            ]
            for target in targets
        ],
    )
    _print_reasons(report)
    print(", ".join(f"{count} {_word(outcome)}" for outcome, count in report.counts.items()))


def _word(outcome: ProbeOutcome) -> str:
    """Return an outcome as text; JSON has the enumerator's value instead."""
    return "inconclusive" if outcome is ProbeOutcome.INCONCLUSIVE else outcome


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.outcome is ProbeOutcome.INCONCLUSIVE:
        return "-"
    answer = "yes" if cell.answer is AnswerKind.ACCEPTED else "no"
    return f"{answer} {_MARKS[cell.outcome]}".strip()


def _print_reasons(report: Report) -> None:
    """Print each reason once, with the targets and questions; the table shows them as '-'."""
    reasons: dict[tuple[Obstacle | None, str], list[Cell]] = {}
    for cell in report.of(ProbeOutcome.INCONCLUSIVE):
        reasons.setdefault((cell.obstacle, cell.reason), []).append(cell)
    if reasons:
        print("inconclusive (-):")
    for (obstacle, reason), cells in reasons.items():
        targets = list(dict.fromkeys(cell.target for cell in cells))
        questions = list(dict.fromkeys(cell.question.name for cell in cells))
        named = ", ".join(questions) if obstacle is Obstacle.NEVER_REFUSED else "all questions"
        print(f"  {named} for {_some(targets)}: {reason.splitlines()[0]}")
        for line in reason.splitlines()[1:]:
            print(f"    {line}")
    for cell in [*report.of(ProbeOutcome.DISAGREES), *report.of(ProbeOutcome.UNLISTED)]:
        print(
            f"{cell.outcome}: {cell.target}, {cell.question.name}: {cell.listed} in the table,"
            f" {cell.answer} from {cell.compiler}",
            file=sys.stderr,
        )


def _some(targets: Sequence[str]) -> str:
    if len(targets) <= 4:
        return ", ".join(targets)
    return f"{', '.join(targets[:3])} and {len(targets) - 3} more"
