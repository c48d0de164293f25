"""Run random kernels from many threads on shared queues, with random sizes and lifetimes.

The load comes from Python, from a C++ program, or from both in turn. Every result is compared with
that of the host. Memory may grow by at most 16 MB between a quarter of the time and the end. The
exit status is 0 if all checks passed, else 1.
"""

from __future__ import annotations

import argparse
import sys

from soak import memory
from soak.load import Load
from soak.program import soak_program
from soak.report import Report


def main() -> int:
    """Run the load and print its results."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("side", nargs="?", choices=("python", "c++"), help="only one of the two")
    parser.add_argument("--seconds", type=float, default=60, help="duration (default: 60)")
    parser.add_argument("--threads", type=int, default=16, help="default: 16")
    parser.add_argument("--queues", type=int, default=4, help="shared queues (default: 4)")
    options = parser.parse_args()
    load = (options.seconds, options.threads, options.queues)
    reports: list[Report] = []
    if options.side != "c++":
        reports.append(_soak_python(*load))
        print(reports[-1], flush=True)
    if options.side != "python":
        reports.append(soak_program(*load))
        print(reports[-1])
    return 1 if any(report.all_faults for report in reports) else 0


def _soak_python(seconds: float, threads: int, queues: int) -> Report:
    load = Load(threads, queues)
    load.start()
    early, late = memory.watch(seconds, memory.in_use)
    tally = load.stop()
    if not tally.chains:
        tally.faults.append("no result was compared")
    done = f"{tally.launches} launches, {tally.chains} results compared"
    return Report("from Python", done, tally.faults, early, late)


if __name__ == "__main__":
    sys.exit(main())
