"""The command line of differential testing."""

import sys
import tempfile
import time
from pathlib import Path

from differential.checking import Way, check
from differential.generation import random_kernels
from differential.reference import expected_results


def main() -> int:
    seed, start, count, level = map(int, sys.argv[1:5])
    without = frozenset(sys.argv[5].split(",")) if len(sys.argv) > 5 else frozenset()
    kernels = random_kernels(seed, range(start, start + count), without)
    with tempfile.TemporaryDirectory() as folder:
        t = time.monotonic()
        expected = expected_results(kernels, Path(folder))
        print("reference", time.monotonic() - t)
    t = time.monotonic()
    outcome = check(kernels, expected, Way(level, vectorizer="novec" not in sys.argv, lambdas="lambda" in sys.argv))
    print("check", time.monotonic() - t, outcome.checked, outcome.processes)
    for fault in outcome.faults:
        print(fault.kernel.number, fault.kind, fault.detail[-300:], sorted(fault.kernel.constructs))
    return 0


main()
