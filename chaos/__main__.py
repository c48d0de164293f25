"""Inject faults into builds, and check that the next build is correct.

Faults are injected in random order until the time is up: builds are killed, signalled and stopped,
disks are full, the cache is damaged, removed, read-only or owned by another user, headers change,
builds run concurrently. A disturbed build may fail with a clear message. The next one must succeed,
and its program must be built from the current sources. The exit status is 0 if all checks passed,
else 1. A seed repeats a run, except for its timing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random, randrange

from chaos.faults import FAULTS, NEED_ROOT, Fault, may_mount
from chaos.project import CheckFailed, Project


def main() -> int:
    """Inject faults until the time is up."""
    names = {fault.__name__.replace("_", "-"): fault for fault in FAULTS}
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300, help="duration (default: 300)")
    parser.add_argument("--seed", type=int, default=randrange(1 << 32), help="default: random")
    parser.add_argument("--faults", default=",".join(names), help="comma-separated (default: all)")
    parser.add_argument("--list", action="store_true", help="list the faults and exit")
    options = parser.parse_args()
    if options.list:
        for name, fault in names.items():
            print(f"{name}: {fault.__doc__}")
        return 0
    unknown = set(options.faults.split(",")) - names.keys()
    if unknown:
        parser.error(f"unknown fault '{sorted(unknown)[0]}'; --list shows all faults")
    chosen = [names[name] for name in options.faults.split(",")]
    return _disturb(_possible(chosen), options.seconds, options.seed)


def _possible(faults: list[Fault]) -> list[Fault]:
    if may_mount():
        return faults
    skipped = sorted(fault.__name__ for fault in faults if fault in NEED_ROOT)
    if skipped:
        print(f"skipped, since they need the right to mount: {', '.join(skipped)}")
    return [fault for fault in faults if fault not in NEED_ROOT]


def _disturb(faults: list[Fault], seconds: float, seed: int) -> int:
    random, done = Random(seed), Counter[str]()
    folder = Path(tempfile.mkdtemp(prefix="dovetail-chaos-"))
    project, number = Project(folder), 1000
    try:
        project.build(number)
        end = time.monotonic() + seconds
        for fault in _in_random_order(faults, random):
            number += 2
            _once(project, number, fault, random)
            done[fault.__name__] += 1
            if time.monotonic() >= end:
                break
    except CheckFailed as error:
        print(f"WRONG, with seed {seed}: {error}\nthe project and its cache are in {folder}")
        return 1
    shutil.rmtree(folder)
    listed = ", ".join(f"{count} {name}" for name, count in sorted(done.items()))
    print(f"{done.total()} disturbed builds, each followed by a correct one: {listed}")
    return 0


def _in_random_order(faults: list[Fault], random: Random) -> Iterator[Fault]:
    """Yield faults endlessly, in rounds with each fault once."""
    while True:
        yield from random.sample(faults, len(faults))


def _once(project: Project, number: int, fault: Fault, random: Random) -> None:
    project.write(number)
    try:
        fault(project, number, random)
        project.build(number + 1)
    except CheckFailed as error:
        raise CheckFailed(f"{fault.__name__}: {error}") from None


if __name__ == "__main__":
    sys.exit(main())
