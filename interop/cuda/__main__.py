"""Launch the kernels of this folder's sources on an NVIDIA GPU, from a program built by Dovetail.

Requires the driver, NumPy, cuda-bindings and Dovetail's runtime, but no compiler:

    dovetail c++ -fsycl -fsyclbin -fsycl-targets=nvidia_gpu_sm_90 -o k interop/cuda/*.cpp
    PYTHONPATH=src python -m interop.cuda k

Prints a line for each launch. The exit status is 0 if all results are right, 1 if not, 2 if there
is no GPU.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dovetail.errors import DovetailError
from dovetail.runtime import Program
from dovetail.runtime.cuda import why_no_device
from dovetail.targets import default_table
from interop.cuda.checks import Check, all_checks
from interop.cuda.condition_checks import condition_checks
from interop.cuda.math_checks import math_checks
from interop.cuda.runner import Runner, find_gpu, without_native_code


def main() -> int:
    """Run all checks, or those of the named kernels."""
    parser = argparse.ArgumentParser(prog="python -m interop.cuda", description=__doc__)
    parser.add_argument("program", type=Path, help="a SYCLBIN")
    parser.add_argument("kernels", nargs="*", help="check only these kernels")
    parser.add_argument("--ptx", action="store_true", help="use PTX, which the driver compiles")
    options = parser.parse_args()
    device = find_gpu()
    if device is None:
        sys.stderr.write(f"interop.cuda: error: there is no NVIDIA GPU: {why_no_device()}\n")
        return 2
    print(f"{device.name}, {device.target}", flush=True)
    program = options.program.read_bytes()
    runner = Runner(
        device, Program.from_bytes(without_native_code(program) if options.ptx else program)
    )
    every = (
        *math_checks(),
        *condition_checks(default_table()[device.target]),
        *all_checks(),
    )
    checks = [c for c in every if not options.kernels or c.kernel in options.kernels]
    verdicts = [report(check, runner) for check in checks]
    print(f"{verdicts.count(True)} of {len(verdicts)} right on {device.name}")
    return 0 if verdicts and all(verdicts) else 1


def report(check: Check, runner: Runner) -> bool:
    """Run one check and print its line."""
    print(f"{check.label}: ", end="", flush=True)
    try:
        right = check.judge(runner.run(check))
    except DovetailError as error:
        runner.reset()
        print(f"FAILED: {error}", flush=True)
        return False
    print("right" if right else "WRONG", flush=True)
    return right


if __name__ == "__main__":
    sys.exit(main())
