"""Run all or the named benchmarks and print a table."""

import argparse
import json
import sys
from dataclasses import asdict
from importlib import import_module

from rich.console import Console
from rich.table import Table

from benchmarks.figure import Figure

MODULES = (
    "startup",
    "targets",
    "plugin",
    "headers",
    "properties",
    "specialise",
    "optional_features",
    "conditions",
    "splitting",
    "check",
    "driver",
    "emission",
    "kernel_speed",
    "reduction",
    "launches",
    "slowest_launch",
    "first_launch",
    "elf_programs",
    "prebuilt",
    "cache",
    "native_start",
    "device_if",
    "ahead_of_time",
)


def main() -> int:
    """Run benchmarks; return 1 if a figure missed its limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(MODULES)}")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    unknown = set(options.names) - set(MODULES)
    if unknown:
        parser.error(f"unknown benchmark '{unknown.pop()}'; valid names: {', '.join(MODULES)}")

    figures: list[Figure] = []
    for name in options.names or MODULES:
        with Console(stderr=True).status(f"measuring {name}"):
            figures += import_module(f"benchmarks.{name}").measure()
    if options.json:
        print(json.dumps([asdict(figure) for figure in figures], indent=2))
    else:
        print_table(figures)
    return 0 if all(figure.reached for figure in figures) else 1


def print_table(figures: list[Figure]) -> None:
    """Print the figures with their limits."""
    table = Table("figure", "ratio", "limit", "measured", "result")
    for figure in figures:
        result = "" if not figure.limit else "met" if figure.reached else "MISSED"
        limit = figure.limit or "none"
        table.add_row(figure.name, f"{figure.ratio:.2f}", limit, figure.measured, result)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
