"""Dovetail beside Intel's SYCL.

`headers` passes the example programs, or those named, through Intel's headers; `runtime` starts
kernels of a file of ours with Intel's runtime. Without a word, both. Each prints a table. The exit
status is 0 if all is well, 1 if not.
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
from interop.intel_headers import prepare_headers
from interop.intel_runtime import prepare_runtime
from interop.launches import Outcome, start_kernels
from interop.spelling import Verdict, check

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "examples" / "programs"
FOLDER = ROOT / "build" / "interop"


def main() -> int:
    """Do the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("headers", "runtime"), help="one part only")
    parser.add_argument("programs", nargs="*", type=Path, help="programs for 'headers'")
    options = parser.parse_args()
    if options.programs and options.part != "headers":
        parser.error("only 'headers' takes programs")
    console = Console()
    try:
        well = [
            options.part == "runtime" or check_headers(options.programs, console),
            options.part == "headers" or check_runtime(console),
        ]
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


if __name__ == "__main__":
    sys.exit(main())
