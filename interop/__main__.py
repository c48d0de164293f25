"""Check interoperability with Intel's SYCL.

`headers` compiles the example programs, or those named, with Intel's headers; `runtime` launches
kernels of a SYCLBIN of Dovetail with Intel's runtime; `requirements` compares the aspects that both
compilers require for the same kernels. By default, all three run. Each prints a table. The exit
status is 0 if all checks passed, else 1.
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
from interop.launches import Outcome, launch_kernels
from interop.syntax_check import HeaderResult, check_syntax

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "examples" / "programs"
FOLDER = ROOT / "build" / "interop"
PARTS = ("headers", "runtime", "requirements")


def main() -> int:
    """Run the selected parts."""
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("part", nargs="?", choices=PARTS, help="only this part")
    parser.add_argument("programs", nargs="*", type=Path, help="programs for 'headers'")
    options = parser.parse_args()
    if options.programs and options.part != "headers":
        parser.error("only 'headers' accepts programs")
    console = Console()
    try:
        checks = {
            "headers": partial(check_headers, options.programs),
            "runtime": check_runtime,
            "requirements": check_requirements,
        }
        passed = [check(console) for part, check in checks.items() if options.part in (None, part)]
    except DovetailError as error:
        sys.stderr.write(f"interop: error: {error}\n")
        return error.exit_status
    except SubprocessError as error:
        sys.stderr.write(f"interop: error: {error}\n")
        return 1
    return 0 if all(passed) else 1


def check_headers(named: list[Path], console: Console) -> bool:
    """Return whether the programs compile with Intel's headers."""
    programs = named or sorted(PROGRAMS.glob("*.cpp"))
    headers = prepare_headers(FOLDER / "headers")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(partial(check_syntax, headers=headers), programs))
    show_header_results(results, console)
    return bool(results) and all(result.accepted for result in results)


def check_runtime(console: Console) -> bool:
    """Return whether Intel's runtime runs and rejects kernels as expected."""
    runtime = prepare_runtime(FOLDER / "runtime")
    outcomes = launch_kernels(runtime, FOLDER / "launches")
    show_outcomes(outcomes, console)
    return all(outcome.expected for outcome in outcomes)


def check_requirements(console: Console) -> bool:
    """Return whether both compilers require the same aspects, except for known differences."""
    folder = FOLDER / "requirements"
    folder.mkdir(parents=True, exist_ok=True)
    comparisons = compare_requirements(prepare_compiler(folder), folder)
    show_comparisons(comparisons, console)
    return bool(comparisons) and all(each.is_expected for each in comparisons)


def show_header_results(results: list[HeaderResult], console: Console) -> None:
    """Print a table of programs, and the messages for rejected ones."""
    table = Table("program", "Intel's headers", "seconds")
    for result in results:
        status = "[green]accepted[/]" if result.accepted else "[red]rejected[/]"
        table.add_row(result.program.stem, status, f"{result.seconds:.1f}")
    console.print(table)
    for result in results:
        if not result.accepted:
            console.print(f"\n{result.program}", style="bold")
            console.print(result.messages, markup=False, highlight=False)
    accepted = sum(result.accepted for result in results)
    console.print(f"{accepted} of {len(results)} programs accepted")


def show_outcomes(outcomes: list[Outcome], console: Console) -> None:
    """Print a table of kernels, and the runtime's messages for rejected ones."""
    table = Table("kernel", "requires", "expected", "Intel's runtime", "result")
    for outcome in outcomes:
        case = outcome.case
        expected = "refused" if case.refusal else "ran"
        result = "[green]ok[/]" if outcome.expected else "[red]WRONG[/]"
        table.add_row(case.kernel, case.requires, expected, outcome.status, result)
    console.print(table)
    for outcome in outcomes:
        if outcome.message:
            console.print(f"{outcome.case.kernel}: ", style="bold", end="")
            console.print(outcome.message, markup=False, highlight=False, soft_wrap=True)
    count = sum(outcome.expected for outcome in outcomes)
    console.print(f"{count} of {len(outcomes)} kernels as expected")


def show_comparisons(comparisons: list[Comparison], console: Console) -> None:
    """Print the kernels whose requirements differ from Intel's, and a summary."""
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
        f"{len(comparisons)} kernels: 'written' contains the requirements of Intel's compiler for"
        f" {contained} of them, 'optimized' equals them for {equal}"
    )


if __name__ == "__main__":
    sys.exit(main())
