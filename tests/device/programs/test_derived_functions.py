"""Built-in functions on integers, comparisons, and functions derived from others."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

import dovetail
from dovetail import KernelNotSupported, Queue

pytestmark = pytest.mark.device

Array = npt.NDArray[np.generic]

INTEGERS = """
#include <sycl/sycl.hpp>
using sycl::ext::oneapi::experimental::single_task_kernel;
template <typename T>
inline void rows(const T *a, const T *b, const T *c, T *out, int count) {
  for (int i = 0; i < count; ++i) {
    int row = 0;
    auto put = [&](auto value) { out[row++ * count + i] = static_cast<T>(value); };
    put(sycl::popcount(a[i])); put(sycl::clz(a[i])); put(sycl::ctz(a[i]));
    put(sycl::abs_diff(a[i], b[i])); put(sycl::add_sat(a[i], b[i])); put(sycl::sub_sat(a[i], b[i]));
    put(sycl::hadd(a[i], b[i])); put(sycl::rhadd(a[i], b[i])); put(sycl::rotate(a[i], b[i]));
    put(sycl::mul_hi(a[i], b[i])); put(sycl::mad_hi(a[i], b[i], c[i]));
    put(sycl::mad_sat(a[i], b[i], c[i])); put(sycl::bitselect(a[i], b[i], c[i]));
  }
}
"""
KERNEL = """
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_{0}(const sycl::{0} *a, const sycl::{0} *b, const sycl::{0} *c, sycl::{0} *out, int n) {{
  rows(a, b, c, out, n);
}}
"""
TYPES = {
    **{"schar": np.int8, "uchar": np.uint8, "ushort": np.uint16, "uint": np.uint32},
    **{"longlong": np.int64, "ulonglong": np.uint64},
}


def expected(a: int, b: int, c: int, bits: int, low: int, high: int) -> list[int]:
    """Return the rows of a column, from exact integers, before they are cut to the type."""
    mask = (1 << bits) - 1
    turn = b % bits
    pattern = a & mask
    rotated = (pattern << turn | pattern >> (bits - turn)) & mask
    return [
        pattern.bit_count(),
        bits - pattern.bit_length(),
        (pattern & -pattern).bit_length() - 1 if pattern else bits,
        abs(a - b),
        min(max(a + b, low), high),
        min(max(a - b, low), high),
        (a + b) >> 1,
        (a + b + 1) >> 1,
        rotated,
        (a * b) >> bits,
        ((a * b) >> bits) + c,
        min(max(a * b + c, low), high),
        (a & ~c) | (b & c),
    ]


@pytest.fixture(scope="module")
def integers(tmp_path_factory: pytest.TempPathFactory) -> dovetail.Program:
    source = tmp_path_factory.mktemp("integers") / "integers.cpp"
    source.write_text(INTEGERS + "".join(KERNEL.format(name) for name in TYPES))
    return dovetail.build(source)


@pytest.mark.parametrize("name", TYPES)
def test_integers(integers: dovetail.Program, name: str) -> None:
    kind = np.dtype(TYPES[name])
    bits, limits = kind.itemsize * 8, np.iinfo(kind)
    low, high = int(limits.min), int(limits.max)
    values = [0, 1, 2, 3, 5, 7, high, high - 1, low, low + 1, high // 3, low // 2 + 1, 100 % high]
    triples = [
        (a, b, values[(i * 7 + j * 3) % 13])
        for i, a in enumerate(values)
        for j, b in enumerate(values)
    ]
    a, b, c = (np.array(column, kind) for column in zip(*triples, strict=True))
    out = np.zeros((13, len(triples)), kind)
    Queue().single_task(integers[f"of_{name}"], a, b, c, out, len(triples)).wait()
    right = [expected(*each, bits, low, high) for each in triples]
    mask = (1 << bits) - 1
    found = [[int(value) & mask for value in column] for column in out.T]
    assert found == [[value & mask for value in column] for column in right]


FLOATS = """
#include <sycl/sycl.hpp>
using sycl::ext::oneapi::experimental::single_task_kernel;
template <typename T>
inline void rows(const T *a, const T *b, T *out, int *whole, int count) {
  for (int i = 0; i < count; ++i) {
    int row = 0, number = 0;
    auto put = [&](T value) { out[row++ * count + i] = value; };
    T second{};
    int power = 0;
    put(sycl::sincos(a[i], &second)); put(second);
    put(sycl::modf(a[i], &second)); put(second);
    put(sycl::fract(a[i], &second)); put(second);
    put(sycl::frexp(a[i], &power)); whole[number++ * count + i] = power;
    put(sycl::lgamma_r(a[i], &power)); whole[number++ * count + i] = power;
    put(sycl::remquo(a[i], b[i], &power)); whole[number++ * count + i] = power;
    put(sycl::nextafter(a[i], b[i])); put(sycl::maxmag(a[i], b[i])); put(sycl::minmag(a[i], b[i]));
    put(sycl::sinpi(a[i])); put(sycl::cospi(a[i])); put(sycl::atan2pi(a[i], b[i]));
    put(sycl::rootn(a[i], 3));
    int truth = sycl::isequal(a[i], b[i]) | sycl::isnotequal(a[i], b[i]) << 1 |
                sycl::isgreater(a[i], b[i]) << 2 | sycl::isgreaterequal(a[i], b[i]) << 3 |
                sycl::isless(a[i], b[i]) << 4 | sycl::islessequal(a[i], b[i]) << 5 |
                sycl::islessgreater(a[i], b[i]) << 6 | sycl::isordered(a[i], b[i]) << 7 |
                sycl::isunordered(a[i], b[i]) << 8;
    whole[number++ * count + i] = truth;
    whole[number++ * count + i] = sycl::ilogb(a[i]);
  }
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_float(const float *a, const float *b, float *out, int *whole, int n) {
  rows(a, b, out, whole, n);
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_double(const double *a, const double *b, double *out, int *whole, int n) {
  rows(a, b, out, whole, n);
}
"""
NUMBERS = (0.5, -0.75, 1.0, 2.5, 29.0, -2.25, 1000.125, -0.001, 0.25, 1e-30, -3.0, 0.0, -0.0)


@pytest.fixture(scope="module")
def floats(tmp_path_factory: pytest.TempPathFactory) -> dovetail.Program:
    source = tmp_path_factory.mktemp("floats") / "floats.cpp"
    source.write_text(FLOATS)
    return dovetail.build(source)


def sign_of_gamma(x: float) -> int:
    if x > 0 or x == 0:
        return int(math.copysign(1, x))
    return 0 if x == int(x) else (-1 if math.floor(x) % 2 else 1)


def lgamma(x: float) -> float:
    return math.inf if x <= 0 and x == int(x) else math.lgamma(x)


def quotient(x: float, y: float) -> int:
    exact = round(Fraction(x) / Fraction(y))
    return int(math.copysign(abs(exact) & 127, x / y))


FUNCTIONS: dict[str, Callable[[float, float], float]] = {
    "sincos, sine": lambda a, b: math.sin(a),
    "sincos, cosine": lambda a, b: math.cos(a),
    "modf, fraction": lambda a, b: math.modf(a)[0],
    "modf, whole": lambda a, b: math.modf(a)[1],
    "fract, fraction": lambda a, b: a - math.floor(a),
    "fract, whole": lambda a, b: float(math.floor(a)),
    "frexp": lambda a, b: math.frexp(a)[0],
    "lgamma_r": lambda a, b: lgamma(a),
    "remquo": math.remainder,
    "nextafter": lambda a, b: a,  # checked below
    "maxmag": lambda a, b: a if abs(a) > abs(b) else b if abs(b) > abs(a) else max(a, b),
    "minmag": lambda a, b: a if abs(a) < abs(b) else b if abs(b) < abs(a) else min(a, b),
    "sinpi": lambda a, b: math.sin(math.pi * math.remainder(a, 2)),
    "cospi": lambda a, b: math.cos(math.pi * math.remainder(a, 2)),
    "atan2pi": lambda a, b: math.atan2(a, b) / math.pi,
    "rootn": lambda a, b: math.copysign(abs(a) ** (1 / 3), a),
}


@pytest.mark.parametrize("name", ["float", "double"])
def test_floating_point(floats: dovetail.Program, name: str) -> None:
    kind = np.dtype({"float": np.float32, "double": np.float64}[name])
    pairs = [(a, b) for a in NUMBERS for b in NUMBERS if b]
    a, b = (np.array(column, kind) for column in zip(*pairs, strict=True))
    out, whole = np.zeros((16, len(pairs)), kind), np.zeros((5, len(pairs)), np.int32)
    try:
        Queue().single_task(floats[f"of_{name}"], a, b, out, whole, len(pairs)).wait()
    except KernelNotSupported as error:
        pytest.skip(str(error))
    exact = [(float(x), float(y)) for x, y in zip(a, b, strict=True)]
    for row, (function, right) in zip(out, FUNCTIONS.items(), strict=True):
        wanted = np.array([right(x, y) for x, y in exact], kind)
        if function == "nextafter":
            wanted = np.nextafter(a, b)
            assert np.array_equal(row, wanted), function
        tolerance = float(np.finfo(kind).eps) * 16
        assert np.allclose(row, wanted, rtol=tolerance, atol=tolerance), function
    powers, signs, quotients, truths, logs = whole.tolist()
    assert powers == [math.frexp(x)[1] for x, _ in exact]
    assert signs == [sign_of_gamma(x) or sign for (x, _), sign in zip(exact, signs, strict=True)]
    assert quotients == [quotient(x, y) for x, y in exact]
    assert truths == [truth(x, y) for x, y in exact]
    least = -(2**31) + 1
    assert logs == [math.frexp(x)[1] - 1 if x else least for x, _ in exact]


def truth(x: float, y: float) -> int:
    answers = (x == y, x != y, x > y, x >= y, x < y, x <= y, x != y, True, False)
    return sum(answer << bit for bit, answer in enumerate(answers))
