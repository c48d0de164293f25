"""Give mutated SPIR-V modules to the reader: what it does not take, it says so.

Each module is read, its ids are indexed, it is edited, specialised and written. Anything but an
error about the format, a module that takes longer than ten seconds, or memory that grows is a
fault; the module is kept in a file. The exit status is 0 if there was none, else 1. A run can be
had again by its seed.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from soak.memory import in_use, megabytes

from fuzz.modules import conditional, kernel, written
from fuzz.mutation import mutated
from fuzz.trial import Outcome, try_module

_PATIENCE = 10
"""Seconds for one module."""
_ALLOWANCE = 16 << 20
"""Bytes that memory may grow by between the first tenth and the end."""


def main() -> int:
    """Try as many modules as are asked for."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("modules", nargs="*", type=Path, help="files to mutate, beside our own")
    parser.add_argument("--count", type=int, default=1_000_000, help="default: a million")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    options = parser.parse_args()
    seeds = [kernel(), conditional(), written(), *(path.read_bytes() for path in options.modules)]
    outcomes, early = Counter[Outcome](), 0
    signal.signal(signal.SIGALRM, _give_up)
    for number in range(options.count):
        random = Random(f"{options.seed} {number}")
        module = mutated(random.choice(seeds), random)
        signal.alarm(_PATIENCE)
        try:
            outcomes[try_module(module)] += 1
        except Exception as error:
            return _fault(module, f"module {number}: {type(error).__name__}: {error}")
        finally:
            signal.alarm(0)
        if number == options.count // 10:
            early = in_use()
    late = in_use()
    if late > early + _ALLOWANCE:
        print(f"WRONG: memory grew from {megabytes(early)} to {megabytes(late)}")
        return 1
    told = ", ".join(f"{outcomes[each]} {each.value}" for each in Outcome)
    print(f"{options.count} modules: {told}; memory {megabytes(early)}, then {megabytes(late)}")
    return 0


def _give_up(signal_number: int, frame: object) -> None:
    raise TimeoutError(f"not done after {_PATIENCE} s")


def _fault(module: bytes, problem: str) -> int:
    with tempfile.NamedTemporaryFile(prefix="fuzz-", suffix=".spv", delete=False) as file:
        file.write(module)
    print(f"WRONG: {problem}\nthe module is in {file.name}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
