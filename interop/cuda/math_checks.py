"""The arguments of the kernels in `math.cpp`, and the allowed error of each function.

A kernel fills a table with a row for each function. The bounds are SYCL's, which are OpenCL's, in
units in the last place. NumPy computes the exact results in higher precision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from interop.cuda.checks import Array, Check, Judge

Columns = tuple[Array, Array, Array, Array]
Right = Callable[[Array, Array, Array, Array], Array]
"""Computes a column of results from columns of arguments, the last of which has integers."""

_LISTS = Path(__file__).parents[2] / "include/sycl/detail"
_NOT_IN_LISTS = ("min", "max", "clamp", "isnan", "isinf", "isfinite", "isnormal", "signbit")

_UNDEFINED_FOR_NAN = ("min", "max", "clamp")
"""Functions whose results for NaN SYCL does not define."""

_WIDE = np.longdouble

_VALUES = (0.5, -0.75, 1.0, 1.5, 2.5, 3.7, -2.2, 10.1, -0.001, 0.3, 7.0, 60.5, 0.0, -0.0)
_EXTREMES = (math.inf, -math.inf, math.nan)
_LARGE = (1e5, -12345.678)
"""Values that half cannot represent."""
_SECOND = (2.0, 0.5, -1.5, 3.0, -2.0, 1.0, 0.25)
_THIRD = (4.0, 2.5, 7.0)
_WHOLE = (2, 3, -1, 0, 5, -4, 1)
_MODERATE = tuple(0.1 + 0.37 * number for number in range(24))
"""Arguments for `native` and `half_precision` functions."""


def math_checks() -> Iterator[Check]:
    """Yield a check for each function and type, which fills the table and compares one row."""
    for kernel, dtype, values in (
        ("of_float", np.float32, _VALUES + _EXTREMES + _LARGE),
        ("of_double", np.float64, _VALUES + _EXTREMES + _LARGE),
        ("of_half", np.float16, _VALUES + _EXTREMES),
    ):
        names = [*_listed("math_functions.inc"), *_NOT_IN_LISTS]
        columns = _columns(values, dtype)
        out = np.zeros((len(names), len(values)), dtype)
        for row, name in enumerate(names):
            arguments = (*columns, out, len(values))
            yield Check(kernel, (1,), (1,), arguments, _judge(row, name, columns), name)
    yield from _less_precise()


def _less_precise() -> Iterator[Check]:
    functions = _listed("fast_math_functions.inc")
    names = [(kind, name) for name in functions for kind in ("native", "half_precision")]
    a, b, *_ = _columns(_MODERATE, np.float32)
    b = np.abs(b)
    out = np.zeros((len(names), len(a)), np.float32)
    for row, (kind, name) in enumerate(names):
        judge = _judge_less_precise(row, kind, name, a, b)
        arguments = (a, b, out, len(a))
        yield Check("less_precise", (1,), (1,), arguments, judge, f"{kind}::{name}")


def _listed(file: str) -> list[str]:
    """Return the function names in a list of the headers, in order."""
    return re.findall(r"^DOVETAIL_\w+\((\w+)\)$", (_LISTS / file).read_text(), re.MULTILINE)


def _columns(values: Sequence[float], dtype: npt.DTypeLike) -> Columns:
    def repeated(some: Sequence[float]) -> list[float]:
        return [some[number % len(some)] for number in range(len(values))]

    a, b, c = (np.array(each, dtype) for each in (values, repeated(_SECOND), repeated(_THIRD)))
    return a, b, c, np.array(repeated(_WHOLE), np.int32)


def _judge(row: int, name: str, columns: Columns) -> Judge:
    def judge(results: Sequence[Array]) -> bool:
        found = results[-1][row]
        with np.errstate(all="ignore"):
            right = _RIGHT[name](*columns)
            close = _is_close(found, right, _bound(name, found.dtype), columns)
            return bool(np.all(close | (np.isnan(columns[0]) & (name in _UNDEFINED_FOR_NAN))))

    return judge


def _judge_less_precise(row: int, kind: str, name: str, a: Array, b: Array) -> Judge:
    def judge(results: Sequence[Array]) -> bool:
        found = results[-1][row].astype(_WIDE)
        function = _LESS_PRECISE[name] if name in _LESS_PRECISE else _RIGHT[name]
        right = function(a, b, b, b).astype(_WIDE)
        # 8192 ulp. The bound of native functions is device-specific: NVIDIA's have an absolute
        # error of 2^-20 near roots.
        slack = 0 if kind == "half_precision" else 2.0**-18
        return bool(np.all(np.abs(found - right) <= 8192 * 2.0**-23 * np.abs(right) + slack))

    return judge


def _is_close(found: Array, right: Array, bound: float, columns: Columns) -> Array:
    rounded = right.astype(found.dtype)
    same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
    if not bound:
        return same
    if math.isinf(bound):  # within the precision of sums of products of the arguments
        size = np.prod([1 + np.abs(column.astype(_WIDE)) for column in columns[:3]], axis=0)
        return same | (np.abs(found - right) <= 64 * np.finfo(found.dtype).eps * size)
    unit = np.abs(np.spacing(np.where(np.isfinite(rounded), rounded, 1))).astype(_WIDE)
    return same | (np.abs(found.astype(_WIDE) - right) <= bound * unit)


def _bound(name: str, dtype: np.dtype[Any]) -> float:
    """Return the allowed error in units in the last place; infinity if SYCL has no bound."""
    of_float, of_half = _BOUNDS.get(name, (0, 0))
    if name == "sqrt" and dtype != np.float32:
        return 0
    return of_half if dtype == np.float16 else of_float


_BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "cos", "cosh", "sin", "sinh"), (4, 2)),
    **dict.fromkeys(("atan", "atanh", "tan", "tanh"), (5, 2)),
    **dict.fromkeys(("exp", "exp10", "exp2", "expm1", "log", "log10", "log2"), (3, 2)),
    **dict.fromkeys(("erf", "erfc", "tgamma"), (16, 4)),
    **dict.fromkeys(("pow", "pown", "powr"), (16, 4)),
    **dict.fromkeys(("lgamma", "mad", "mix", "smoothstep"), (math.inf, math.inf)),
    **dict.fromkeys(("cbrt", "degrees", "log1p", "radians"), (2, 2)),
    "atan2": (6, 2),
    "hypot": (4, 2),
    "rsqrt": (2, 1),
    "sqrt": (3, 0),
}


def _wide(function: Callable[[Array], Array]) -> Right:
    return lambda a, b, c, n: function(a.astype(_WIDE))


def _wide_2(function: Callable[[Array, Array], Array]) -> Right:
    return lambda a, b, c, n: function(a.astype(_WIDE), b.astype(_WIDE))


def _wide_3(function: Callable[[Array, Array, Array], Array]) -> Right:
    return lambda a, b, c, n: function(a.astype(_WIDE), b.astype(_WIDE), c.astype(_WIDE))


def _each(function: Callable[..., float], count: int = 1) -> Right:
    """Compute results one by one, in double; Python's errors become NaN."""

    def computed(*numbers: float) -> float:
        if any(map(math.isnan, numbers)):
            return math.nan
        try:
            return function(*numbers)
        except OverflowError:
            return math.inf
        except (ValueError, ZeroDivisionError):
            return math.nan

    def right(*columns: Array) -> Array:
        rows = zip(*(column.astype(np.float64) for column in columns[:count]), strict=True)
        return np.array([computed(*map(float, row)) for row in rows])

    return right


def _gamma(x: float) -> float:
    return math.copysign(math.inf, x) if x == 0 else math.gamma(x)


def _log_gamma(x: float) -> float:
    return math.inf if x == 0 else math.lgamma(x)


def _fused(a: float, b: float, c: float) -> float:
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    return float(Fraction(a) * Fraction(b) + Fraction(c)) or a * b + c


def _exponent(a: Array) -> Array:
    whole = np.frexp(a)[1].astype(_WIDE) - 1
    return np.where(a == 0, -math.inf, np.where(np.isfinite(a), whole, np.abs(a)))


def _rounded(a: Array) -> Array:
    """Round half away from zero."""
    return np.copysign(np.floor(np.abs(a) + 0.5), a)


def _power_of_positive(a: Array, b: Array) -> Array:
    edge = ((a == 0) | np.isinf(a)) & (b == 0)
    return np.where((a < 0) | np.isnan(a) | edge, math.nan, np.power(np.abs(a), b))


def _smooth(low: Array, high: Array, x: Array) -> Array:
    t = np.fmin(np.fmax((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)


def _sign(a: Array) -> Array:
    return np.where(np.isnan(a), 0, np.where(a == 0, a, np.copysign(1, a)))


def _is_normal(a: Array) -> Array:
    return np.isfinite(a) & (np.abs(a) >= np.finfo(a.dtype).tiny)


_PI = _WIDE("3.14159265358979323846264338327950288")

_RIGHT: dict[str, Right] = {
    **{
        name: _wide(getattr(np, numpy_name or name))
        for name, numpy_name in {
            "acos": "arccos",
            "acosh": "arccosh",
            "asin": "arcsin",
            "asinh": "arcsinh",
            "atan": "arctan",
            "atanh": "arctanh",
            **dict.fromkeys(("cbrt", "ceil", "cos", "cosh", "exp", "exp2", "expm1", "fabs"), ""),
            **dict.fromkeys(("floor", "log", "log10", "log1p", "log2", "rint", "sin", "sinh"), ""),
            **dict.fromkeys(("sqrt", "tan", "tanh", "trunc"), ""),
        }.items()
    },
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "exp10": _wide(lambda a: np.power(_WIDE(10), a)),
    "lgamma": _each(_log_gamma),
    "tgamma": _each(_gamma),
    "logb": _wide(_exponent),
    "round": _wide(_rounded),
    "degrees": _wide(lambda a: a * 180 / _PI),
    "radians": _wide(lambda a: a * _PI / 180),
    "rsqrt": _wide(lambda a: 1 / np.sqrt(a)),
    "sign": _wide(_sign),
    "atan2": _wide_2(np.arctan2),
    "copysign": _wide_2(np.copysign),
    "fdim": lambda a, b, c, n: np.where(a <= b, a.dtype.type(0), a - b),
    "fmax": _wide_2(np.fmax),
    "fmin": _wide_2(np.fmin),
    "fmod": lambda a, b, c, n: np.fmod(a, b),
    "hypot": _wide_2(np.hypot),
    "pow": _wide_2(np.power),
    "remainder": _each(math.remainder, 2),
    "powr": _wide_2(_power_of_positive),
    "step": lambda a, b, c, n: np.where(b < a, 0, 1),
    "fma": _each(_fused, 3),
    "mad": _wide_3(lambda a, b, c: a * b + c),
    "mix": _wide_3(lambda a, b, c: a + (b - a) * c),
    "smoothstep": _wide_3(_smooth),
    "ldexp": lambda a, b, c, n: np.ldexp(a.astype(_WIDE), n),
    "pown": lambda a, b, c, n: np.power(a.astype(_WIDE), n.astype(_WIDE)),
    "min": lambda a, b, c, n: np.where(b < a, b, a),
    "max": lambda a, b, c, n: np.where(a < b, b, a),
    "clamp": lambda a, b, c, n: np.fmin(np.fmax(a, b), c),
    "isnan": lambda a, b, c, n: np.isnan(a),
    "isinf": lambda a, b, c, n: np.isinf(a),
    "isfinite": lambda a, b, c, n: np.isfinite(a),
    "isnormal": lambda a, b, c, n: _is_normal(a),
    "signbit": lambda a, b, c, n: np.signbit(a),
}

_LESS_PRECISE: dict[str, Right] = {
    "divide": _wide_2(lambda a, b: a / b),
    "recip": _wide(lambda a: 1 / a),
}
