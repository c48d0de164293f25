"""The command line of differential testing."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from differential.campaign import Plan, Tally, run_campaign
from dovetail.settings import CACHE_DIR

FOLDER = Path(__file__).parents[1] / "build" / "differential"

_DESCRIPTION = """\
Build random kernels, run them on the default device, and compare every bit of their results with
those of the host. Hundreds of kernels share a source; each source is built at all optimization
levels. The same seed generates the same kernels.

A fault is a wrong result, a build failure, a crash, or a process that hangs. The kernel is shrunk
and saved as a standalone program, and the campaign continues.

examples:
  python -m differential --count 1000               sources of 300 kernels, four levels
  python -m differential --time 3600 --jobs 2       an hour on two processors
  python -m differential --seed 7 --levels 0,2      other kernels, two levels
  python -m differential --without half,barrier     without some constructs
  make differential COUNT=1000 SEED=7               the same from make

exit status: 0 if no fault was found, 1 if one was found, 2: usage error
"""


_NUMBERS = (
    ("count", 0, "kernels (default: 1000; no limit with --time)"),
    ("time", 0, "seconds (default: no limit)"),
    ("seed", 1, "(default: 1)"),
    ("jobs", 1, "parallel sources (default: 1)"),
    ("source", 300, "kernels in each source (default: 300)"),
    ("max-faults", 20, "stop after N faults (default: 20; 0: never)"),
    ("shrink-time", 120, "seconds to shrink each fault (default: 120)"),
)


def main() -> int:
    """Run a campaign with the options of the command line."""
    options = _parser().parse_args()
    # A separate cache: precompiled headers are reused, but do not fill the user's cache.
    os.environ.setdefault(CACHE_DIR.variable, str(options.folder / "cache"))
    count = options.count or (0 if options.time else 1000)
    plan = Plan(
        seed=options.seed,
        count=count,
        seconds=options.time,
        levels=options.levels,
        jobs=options.jobs,
        for_each_source=min(options.source, count or options.source),
        without=frozenset(options.without),
        folder=options.folder,
        shrink_seconds=options.shrink_time,
        max_faults=options.max_faults,
    )
    started = time.monotonic()
    try:
        tally = run_campaign(plan, lambda line: print(line, flush=True))
    except KeyboardInterrupt:
        print("interrupted; faults so far are saved")
        return 130
    _print_summary(tally, time.monotonic() - started)
    return int(bool(tally.faults))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m differential",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--levels", type=_levels, default=(0, 1, 2, 3), help="(default: 0,1,2,3)")
    for name, default, help_ in _NUMBERS:
        parser.add_argument(f"--{name}", type=_number, default=default, metavar="N", help=help_)
    parser.add_argument(
        "--without",
        type=lambda text: text.split(","),
        default=(),
        metavar="NAME,...",
        help="constructs not to generate, such as half, vector, barrier, reverse-bits",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=FOLDER,
        help="folder for faults (default: build/differential)",
    )
    return parser


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"expected a number, got '{text}'")
    return int(text)


def _levels(text: str) -> tuple[int, ...]:
    levels = text.split(",")
    if not {*levels} <= {"0", "1", "2", "3"}:
        raise argparse.ArgumentTypeError(f"expected a list of levels such as 0,2, got '{text}'")
    return tuple(map(int, levels))


def _print_summary(tally: Tally, seconds: float) -> None:
    each = f", {1000 * seconds / tally.checks:.0f} ms each" if tally.checks else ""
    print(f"{tally.kernels} kernels, {tally.checks} checks in {seconds:.0f} s{each}")
    print(f"{len(tally.faults)} faults")
    for name, count in tally.signatures.most_common():
        print(f"{count:6} {name}")


if __name__ == "__main__":
    sys.exit(main())
