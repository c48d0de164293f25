"""Every function on numbers, on an NVIDIA GPU and on the CPU: are the results the same?

The tables of the CPU are made where Dovetail is installed, and compared where the GPU is, with a
program that Dovetail built:

    python -m interop.cuda.numbers tables numbers.npz
    dovetail c++ -fsycl -fsyclbin -fsycl-targets=nvidia_gpu_sm_90 -o n every_math_function.cpp
    PYTHONPATH=src python -m interop.cuda.numbers compare n numbers.npz

Two results may be as far apart as OpenCL allows both of them to be from the truth, which may make
the largest numbers infinite. What is no number has to be so on both.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dovetail.image import read_program
from interop.cuda.__main__ import Runner
from interop.cuda.checks import Check
from interop.cuda.driver import Card

Array = npt.NDArray[Any]

_ROOT = Path(__file__).parents[2]
SOURCE = _ROOT / "tests" / "support" / "every_math_function.cpp"
_LISTS = _ROOT / "include" / "sycl" / "detail"
_NAME = re.compile(r"^DOVETAIL_\w+\((\w+)\)", re.MULTILINE)

_EXACT = 0
_ULPS = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "cos", "cosh", "hypot", "sin", "sinh"), 4),
    **dict.fromkeys(("atan", "atanh", "tan", "tanh"), 5),
    **dict.fromkeys(("cbrt", "degrees", "radians", "rsqrt", "log1p"), 2),
    **dict.fromkeys(("exp", "exp10", "exp2", "expm1", "log", "log10", "log2", "sqrt"), 3),
    **dict.fromkeys(("erf", "erfc", "tgamma", "pow", "powr", "pown"), 16),
    "atan2": 6,
}
"""What OpenCL allows in single precision; the others are exact."""
_ROUGHLY = ("lgamma", "mad", "mix", "smoothstep")
"""For these it names no bound, or one of the sizes of the arguments."""
_ANY_OF_NAN = ("min", "max", "clamp")
"""For these SYCL leaves open what comes of arguments that are no numbers."""
_CLOSE = 1e-5
_FAST = 1e-2
"""Less precise forms: how far the hardware's may be off, relative to the larger of it and one."""

_KINDS = {"of_float": "f4", "of_double": "f8", "of_half": "f2"}


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m interop.cuda.numbers", description=__doc__)
    modes = parser.add_subparsers(dest="mode", required=True)
    modes.add_parser("tables").add_argument("tables", type=Path)
    compare = modes.add_parser("compare")
    compare.add_argument("program", type=Path)
    compare.add_argument("tables", type=Path)
    options = parser.parse_args()
    if options.mode == "tables":
        tables = dict(_tables_of_cpu())
        np.savez_compressed(options.tables, allow_pickle=False, **tables)
        return 0
    return _compare(options.program, np.load(options.tables))


def rows() -> list[str]:
    """The functions, in the order of the tables."""
    return [*_names("math_functions.inc"), "min", "max", "clamp", *_QUESTIONS]


_QUESTIONS = ("isnan", "isinf", "isfinite", "isnormal", "signbit")


def fast_rows() -> list[str]:
    """The less precise forms, two for each function."""
    return [each for name in _names("fast_math_functions.inc") for each in (name, name)]


def _names(file: str) -> list[str]:
    return _NAME.findall((_LISTS / file).read_text())


def inputs(kind: str) -> tuple[Array, Array, Array, Array]:
    """Ordinary numbers, then every pair of odd ones."""
    random = np.random.default_rng(7)
    count = 4096
    largest = {"f2": 6.0, "f4": 40.0, "f8": 300.0}[kind]
    spread = [
        np.concatenate([random.uniform(-2, 2, count), random.uniform(-largest, largest, count)])
        for _ in range(3)
    ]
    limits = np.finfo(kind)
    odd = [0.0, -0.0, 0.5, 1.0, -1.0, -1.5, 2.0, 3.0, np.inf, -np.inf, np.nan]
    odd += [float(limits.max), float(limits.tiny)]
    first, second = (np.array(part) for part in zip(*product(odd, odd), strict=True))
    a, b, c = (
        np.concatenate([part, extra]).astype(kind)
        for part, extra in zip(spread, (first, second, np.ones_like(first)), strict=True)
    )
    n = np.concatenate([random.integers(-9, 10, 2 * count), np.arange(first.size) % 7 - 3])
    return a, b, c, n.astype("i4")


def _checks() -> Iterator[tuple[Check, list[str]]]:
    def judge(_results: object) -> bool:
        return True

    for kernel, kind in _KINDS.items():
        given = inputs(kind)
        out = np.zeros((len(rows()), given[0].size), kind)
        arguments = (*given, out, given[0].size)
        yield Check(kernel, (1,), (1,), arguments, judge), rows()
    # Away from poles, where a form that is not precise may be anything.
    a, b = (np.linspace(0.25, 1.4, 512, dtype="f4") for _ in range(2))
    out = np.zeros((len(fast_rows()), a.size), "f4")
    yield Check("less_precise", (1,), (1,), (a, b, out, a.size), judge), fast_rows()


def _tables_of_cpu() -> Iterator[tuple[str, Array]]:
    # Only who has it installed makes tables.
    import dovetail

    program, queue = dovetail.build(SOURCE), dovetail.Queue()
    for check, _ in _checks():
        queue.single_task(program[check.kernel], *check.arguments).wait()
        out = check.arguments[-2]
        assert isinstance(out, np.ndarray)
        yield check.kernel, out


def _compare(program: Path, tables: Any) -> int:
    card = Card()
    print(f"functions on numbers on {card.name}")
    runner = Runner(card, read_program(program.read_bytes()), takes_ptx=False)
    wrong = 0
    for check, names in _checks():
        result = runner.run(check)[-1]
        for name, ours, cpus in zip(names, result, tables[check.kernel], strict=True):
            off = _differences(check, name, ours, cpus)
            if off.size:
                wrong += 1
                arguments = [each[off[0]] for each in _given(check)]
                print(
                    f"{check.kernel} {name}: {off.size} of {ours.size} differ, such as"
                    f" {arguments}: {ours[off[0]]!r}, not {cpus[off[0]]!r}"
                )
        print(f"{check.kernel}: {len(names)} functions, {result.shape[1]} arguments each")
    print("all agree" if not wrong else f"{wrong} functions differ")
    return 1 if wrong else 0


def _differences(check: Check, name: str, ours: Array, cpus: Array) -> Array:
    """Where results are further apart than they may be."""
    kind = ours.dtype
    first, second = ours.astype("f8"), cpus.astype("f8")
    same = (ours == cpus) | (np.isnan(first) & np.isnan(second))
    if name in _ANY_OF_NAN:
        same |= np.isnan([part.astype("f8") for part in _given(check)]).any(axis=0)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(first - second)
        size = np.maximum(np.abs(first), np.abs(second))
        if check.kernel == "less_precise":
            near = distance <= _FAST * np.maximum(size, 1)
        elif name in _ROUGHLY:
            near = distance <= max(_CLOSE, 8 * float(np.finfo(kind).eps)) * np.maximum(size, 1)
        else:
            allowed = 2 * _ULPS.get(name, _EXACT)
            near = distance <= allowed * np.spacing(size.astype(kind)).astype("f8")
            near |= _both_are_huge(ours, cpus, allowed)
    return np.flatnonzero(~(same | near))


def _both_are_huge(ours: Array, cpus: Array, ulps: int) -> Array:
    """Of one sign, and infinite or next to it."""
    limits = np.finfo(ours.dtype)
    huge = float(limits.max) * (1 - ulps * float(limits.eps))
    sides = [each.astype("f8") for each in (ours, cpus)]
    above = np.minimum(*sides) >= huge
    below = np.maximum(*sides) <= -huge
    return (above | below) & (ulps > 0)


def _given(check: Check) -> list[Array]:
    """The arrays that a kernel reads."""
    return [each for each in check.arguments[:-2] if isinstance(each, np.ndarray)]


if __name__ == "__main__":
    sys.exit(main())
