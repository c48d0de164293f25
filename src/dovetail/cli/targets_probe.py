"""`dovetail targets probe`: ask the real compilers whether the table of targets is true."""

import json
import sys
from collections.abc import Sequence

from dovetail import probe
from dovetail.cli.arguments import Parser, add_configuration, read_configuration
from dovetail.cli.output import print_table
from dovetail.cli.progress import Progress
from dovetail.probe import Cell, Obstacle, ProbeOutcome, Report, Said

_DESCRIPTION = """\
Compile small kernels, one for each question (double, half, 64-bit atomics, each sub-group size),
with the real ahead-of-time compiler of each target, and compare what it accepts and refuses with
the table. All targets take about a minute; no device is needed.

  agrees           the compiler says what the table says
  disagrees        one of them is wrong
  unlisted         the compiler accepts what the table leaves open: the table could list it
  cannot be asked  with the reason; a question that a compiler never refuses, not even for controls
                   that lack the feature, is no question

Exit status 1 if anything disagrees or is unlisted.

examples:
  dovetail targets probe
  dovetail targets probe intel_gpu_skl intel_gpu_icllp
  dovetail targets probe --device-config-file mine.yaml my_gpu --json
"""

_MARKS = {
    ProbeOutcome.AGREES: "",
    ProbeOutcome.DISAGREES: "DISAGREES",
    ProbeOutcome.UNLISTED: "UNLISTED",
}


def run(words: Sequence[str]) -> int:
    """See `dovetail targets probe --help`."""
    parser = Parser("targets probe", _DESCRIPTION)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a target (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    add_configuration(parser)
    options = parser.parse_args(words)
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
                "answer": cell.said,
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
        ["target", *short, "asked of"],
        [
            [
                target,
                *(_cell(cells.get((target, question))) for question in questions),
                next((c.compiler for c in report.cells if c.target == target), "") or "nobody",
            ]
            for target in targets
        ],
    )
    _print_reasons(report)
    print(", ".join(f"{count} {outcome}" for outcome, count in report.counts.items()))


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.outcome is ProbeOutcome.CANNOT_BE_ASKED:
        return "-"
    answer = "yes" if cell.said is Said.YES else "no"
    return f"{answer} {_MARKS[cell.outcome]}".strip()


def _print_reasons(report: Report) -> None:
    """Each reason once, with what it holds for; a '-' in the table stands for one of them."""
    reasons: dict[tuple[Obstacle | None, str], list[Cell]] = {}
    for cell in report.of(ProbeOutcome.CANNOT_BE_ASKED):
        reasons.setdefault((cell.obstacle, cell.reason), []).append(cell)
    if reasons:
        print("cannot be asked (-):")
    for (obstacle, reason), cells in reasons.items():
        targets = list(dict.fromkeys(cell.target for cell in cells))
        questions = list(dict.fromkeys(cell.question.name for cell in cells))
        named = ", ".join(questions) if obstacle is Obstacle.NEVER_REFUSED else "all questions"
        print(f"  {named} of {_some(targets)}: {reason.splitlines()[0]}")
        for line in reason.splitlines()[1:]:
            print(f"    {line}")
    for cell in [*report.of(ProbeOutcome.DISAGREES), *report.of(ProbeOutcome.UNLISTED)]:
        print(
            f"{cell.outcome}: {cell.target}, {cell.question.name}: the table says"
            f" {cell.listed}, {cell.compiler} says {cell.said}",
            file=sys.stderr,
        )


def _some(targets: Sequence[str]) -> str:
    if len(targets) <= 4:
        return ", ".join(targets)
    return f"{', '.join(targets[:3])} and {len(targets) - 3} more"
