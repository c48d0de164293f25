"""Dovetail beside Intel's SYCL.

`headers` passes the example programs, or those named, through Intel's headers; `runtime` starts
kernels of a file of ours with Intel's runtime; `requirements` compares which aspects our compiler
and Intel's require for the same kernels. Without a word, all. Each prints a table. The exit status
is 0 if all is well, 1 if not.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from subprocess import SubprocessError

from rich.console import Console
from rich.table import Table

from dovetail.errors import DovetailError
from interop.intel_compiler import prepare_compiler
from interop.intel_headers import prepare_headers
from interop.intel_runtime import prepare_runtime
from interop.kernel_requirements import DIFFERENCES, Comparison, compare_requirements
from interop.launches import Outcome, start_kernels
from interop.spelling import Verdict, check

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "examples" / "programs"
FOLDER = ROOT / "build" / "interop"
PARTS = ("headers", "runtime", "requirements")


def main() -> int:
    """Do the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, help="one part only")
    parser.add_argument("programs", nargs="*", type=Path, help="programs for 'headers'")
    options = parser.parse_args()
    if options.programs and options.part != "headers":
        parser.error("only 'headers' takes programs")
    console = Console()
    try:
        checks = {
            "headers": partial(check_headers, options.programs),
            "runtime": check_runtime,
            "requirements": check_requirements,
        }
        well = [check(console) for part, check in checks.items() if options.part in (None, part)]
    except DovetailError as error:
        sys.stderr.write(f"interop: error: {error}\n")
        return error.exit_status
    except SubprocessError as error:
        sys.stderr.write(f"interop: error: {error}\n")
        return 1
    return 0 if all(well) else 1


def check_headers(named: list[Path], console: Console) -> bool:
    """Whether Intel's headers take the programs."""
    programs = named or sorted(PROGRAMS.glob("*.cpp"))
    headers = prepare_headers(FOLDER / "headers")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(partial(check, headers=headers), programs))
    show_verdicts(verdicts, console)
    return bool(verdicts) and all(verdict.accepted for verdict in verdicts)


def check_runtime(console: Console) -> bool:
    """Whether Intel's runtime does with our kernels what it should."""
    runtime = prepare_runtime(FOLDER / "runtime")
    outcomes = start_kernels(runtime, FOLDER / "launches")
    show_outcomes(outcomes, console)
    return all(outcome.expected for outcome in outcomes)


def check_requirements(console: Console) -> bool:
    """Whether our compiler requires what Intel's does, but for the known differences."""
    folder = FOLDER / "requirements"
    folder.mkdir(parents=True, exist_ok=True)
    comparisons = compare_requirements(prepare_compiler(folder), folder)
    show_comparisons(comparisons, console)
    return bool(comparisons) and all(each.is_expected for each in comparisons)


def show_verdicts(verdicts: list[Verdict], console: Console) -> None:
    """The table, and the messages behind it."""
    table = Table("program", "Intel's headers", "seconds")
    for verdict in verdicts:
        result = "[green]accepted[/]" if verdict.accepted else "[red]rejected[/]"
        table.add_row(verdict.program.stem, result, f"{verdict.seconds:.1f}")
    console.print(table)
    for verdict in verdicts:
        if not verdict.accepted:
            console.print(f"\n{verdict.program}", style="bold")
            console.print(verdict.messages, markup=False, highlight=False)
    accepted = sum(verdict.accepted for verdict in verdicts)
    console.print(f"{accepted} of {len(verdicts)} programs accepted")


def show_outcomes(outcomes: list[Outcome], console: Console) -> None:
    """The table, and what the runtime said about kernels that it did not run."""
    table = Table("kernel", "requires", "has to be", "Intel's runtime", "verdict")
    for outcome in outcomes:
        case = outcome.case
        due = "refused" if case.refusal else "run"
        verdict = "[green]well[/]" if outcome.expected else "[red]WRONG[/]"
        table.add_row(case.kernel, case.requires, due, outcome.status, verdict)
    console.print(table)
    for outcome in outcomes:
        if outcome.message:
            console.print(f"{outcome.case.kernel}: ", style="bold", end="")
            console.print(outcome.message, markup=False, highlight=False, soft_wrap=True)
    expected = sum(outcome.expected for outcome in outcomes)
    console.print(f"{expected} of {len(outcomes)} kernels as they should be")


def show_comparisons(comparisons: list[Comparison], console: Console) -> None:
    """Print the kernels whose requirements differ from Intel's, and how many do not."""
    table = Table("kernel", "Intel's", "written", "optimized", "reason")
    for each in comparisons:
        if not each.is_equal or not each.is_expected:
            readings = (each.intel, each.written, each.optimized)
            reason = DIFFERENCES.get(each.kernel) if each.is_expected else "[red]WRONG[/]"
            table.add_row(each.kernel, *(", ".join(sorted(it)) or "-" for it in readings), reason)
    console.print(table)
    contained = sum(each.written_contains_intel for each in comparisons)
    equal = sum(each.is_equal for each in comparisons)
    console.print(
        f"{len(comparisons)} kernels: 'written' contains what Intel's compiler requires for"
        f" {contained} of them, 'optimized' equals it for {equal}"
    )


if __name__ == "__main__":
    sys.exit(main())
