"""The command line of the fuzzer."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from fuzz.campaign import Budget, Result, fuzz_reader
from fuzz.registry import READERS, load

_DESCRIPTION = """\
Fuzz every reader of Dovetail. Each reader starts from files of Dovetail's own writers. Atheris
mutates their bytes, guided by coverage; edits for each format change their structure and repair
sizes, checksums and digests.

A reader accepts an input or raises a DovetailError. Everything else is a fault: another exception,
a crash, more than 10 seconds for one input, an allocation far larger than the input, or memory that
grows. The input is saved in tests/fuzz_regressions, where 'make test' reads it again, and the run
continues with the next reader. Add the saved file to the commit that fixes the fault.

The same seed generates the same inputs, unless a time limit ends the run.

examples:
  python -m fuzz                                    every reader, its default number of inputs
  python -m fuzz --list                             list the readers and these numbers
  python -m fuzz --readers syclbin,archive --count 50000
  python -m fuzz --time 600                         ten minutes, divided among all readers
  python -m fuzz --seed 7                           other inputs
  make fuzz TIME=600 READERS=syclbin,archive        the same from make

exit status: 0 if no fault was found, 1 if one was found, 2: usage error
"""


def main() -> int:
    """Fuzz the readers named on the command line."""
    options = _parser().parse_args()
    if options.list:
        for name in READERS:
            reader = load(name)
            print(f"{name:20} {reader.count:>9}  {reader.reads}")
        return 0
    if find_spec("atheris") is None:
        print("Atheris is not installed; run: pip install -r setup/requirements.txt")
        return 2
    results: dict[str, Result] = {}
    for name in options.readers:
        budget = _budget(name, options)
        print(f"{name} ...", end="" if sys.stdout.isatty() else "\n", flush=True)
        results[name] = fuzz_reader(name, budget, options.seed, _ProgressLine(name, budget))
        _print_result(name, results[name])
    _print_summary(results)
    return int(any(result.fault for result in results.values()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fuzz",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--readers",
        type=_names,
        default=list(READERS),
        metavar="NAME,...",
        help="readers to fuzz (default: all)",
    )
    parser.add_argument(
        "--count",
        type=_positive,
        metavar="N",
        help="inputs for each reader (default: by reader, see --list; no limit with --time)",
    )
    parser.add_argument(
        "--time",
        type=_positive,
        metavar="SECONDS",
        help="seconds for the whole run, divided among the readers (default: no limit)",
    )
    parser.add_argument("--seed", type=_positive, default=1, metavar="N", help="(default: 1)")
    parser.add_argument("--list", action="store_true", help="list the readers and exit")
    return parser


def _names(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in READERS:
            raise argparse.ArgumentTypeError(
                f"unknown reader '{name}'; valid readers: {', '.join(READERS)}"
            )
    return names


def _positive(text: str) -> int:
    # To Atheris, 0 means no limit, or a random seed.
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1 << 31):
        raise argparse.ArgumentTypeError(f"expected a positive 31-bit number, got '{text}'")
    return int(text)


def _budget(name: str, options: argparse.Namespace) -> Budget:
    if options.time is None:
        return Budget(options.count or load(name).count)
    # The engine accepts whole seconds only.
    return Budget(options.count or 0, max(1, options.time // len(options.readers)))


class _ProgressLine:
    """Shows the progress of one reader on a terminal."""

    def __init__(self, name: str, budget: Budget) -> None:
        self._name = name
        self._goal = f" of {budget.count}" if budget.count else ""
        self._limit = f" of {budget.seconds}" if budget.seconds else ""

    def __call__(self, executed: int, seconds: float) -> None:
        if sys.stdout.isatty():
            text = f"{self._name}: {executed}{self._goal} inputs, {seconds:.0f}{self._limit} s"
            print(f"\r\033[K{text}", end="", flush=True)


def _print_result(name: str, result: Result) -> None:
    if sys.stdout.isatty():
        print("\r\033[K", end="")
    if not result.fault:
        print(f"{name}: {result.executed} inputs in {result.seconds:.0f} s, no fault", flush=True)
        return
    print(f"{name}: FAULT after {result.executed} inputs\n{result.fault}")
    if result.saved:
        print(f"the input is saved in {os.path.relpath(result.saved, Path.cwd())}")
    sys.stdout.flush()


def _print_summary(results: dict[str, Result]) -> None:
    print(f"\n{'reader':20} {'inputs':>9} {'accepted':>9} {'seconds':>8}  faults")
    for name, result in results.items():
        counts = f"{result.executed:>9} {result.accepted:>9} {result.seconds:>8.0f}"
        print(f"{name:20} {counts}  {1 if result.fault else 0}")


if __name__ == "__main__":
    sys.exit(main())
