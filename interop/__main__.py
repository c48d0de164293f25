"""`python -m interop [PROGRAM...]`: every example, or those named, against Intel's headers.

Prints a table, then what the compiler says about programs that it rejects. The exit status is 0 if
it takes all of them, 1 if not.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from interop.intel_headers import prepare
from interop.spelling import Verdict, check

ROOT = Path(__file__).parents[1]
PROGRAMS = ROOT / "examples" / "programs"


def main(arguments: list[str]) -> int:
    """Check the programs and show the verdicts."""
    programs = [Path(argument) for argument in arguments] or sorted(PROGRAMS.glob("*.cpp"))
    headers = prepare(ROOT / "build" / "interop")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(partial(check, headers=headers), programs))
    show(verdicts, Console())
    return 0 if programs and all(verdict.accepted for verdict in verdicts) else 1


def show(verdicts: list[Verdict], console: Console) -> None:
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
