"""Random kernels, sizes and drops of references, from many threads on shared queues.

Every result is compared with NumPy's. At the end, the process may have no more memory than after
a quarter of the time, and 16 MB. The exit status is 0 if all was well, else 1.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from pathlib import Path

from soak.load import Load

_ALLOWANCE = 16 << 20
"""Bytes that memory may grow by between the first quarter and the end."""


def main() -> int:
    """Put load on the runtime, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    parser.add_argument("--threads", type=int, default=16, help="default: 16")
    parser.add_argument("--queues", type=int, default=4, help="that all threads share; default: 4")
    options = parser.parse_args()
    load = Load(options.threads, options.queues)
    load.start()
    early, late = _watch(options.seconds)
    tally = load.stop()
    faults = list(tally.faults)
    if late > early + _ALLOWANCE:
        faults.append(f"memory grew from {_megabytes(early)} to {_megabytes(late)}")
    for fault in faults:
        sys.stdout.write(f"WRONG: {fault}\n")
    sys.stdout.write(
        f"{tally.launches} launches, {tally.chains} results compared; memory"
        f" {_megabytes(early)} at {options.seconds / 4:.0f} s, {_megabytes(late)} at the end\n"
    )
    return 1 if faults or not tally.chains else 0


def _watch(seconds: float) -> tuple[int, int]:
    """The memory in use after a quarter of the time and after all of it."""
    start, early, told = time.monotonic(), 0, 0.0
    while (gone := time.monotonic() - start) < seconds:
        if not early and gone >= seconds / 4:
            early = _memory_in_use()
        if gone - told >= 5:
            told = gone
            sys.stderr.write(
                f"soak: {gone:.0f} of {seconds:.0f} s, {_megabytes(_memory_in_use())}\n"
            )
        time.sleep(0.05)
    return early, _memory_in_use()


def _memory_in_use() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
