"""Every built-in function becomes the instruction it stands for, for each type it takes."""

from __future__ import annotations

import re
from collections.abc import Callable

# Names by shape, as in SYCL and OpenCL.std alike.
UNARY = """
    acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor
    lgamma log log10 log1p log2 logb rint round sin sinh sqrt tan tanh tgamma trunc degrees
    radians rsqrt sign
"""
BINARY = "atan2 copysign fdim fmax fmin fmod hypot pow remainder powr step"
TERNARY = "fma mad mix smoothstep"
INTEGER = "ldexp pown"
FAST = "cos exp exp10 exp2 log log10 log2 recip rsqrt sin sqrt tan"
FAST_BINARY = "divide powr"
RENAMED = {"min": "fmin_common", "max": "fmax_common", "clamp": "fclamp"}
QUESTIONS = {
    "isfinite": "IsFinite",
    "isinf": "IsInf",
    "isnan": "IsNan",
    "isnormal": "IsNormal",
    "signbit": "SignBitSet",
}


def _function(calls: list[str]) -> str:
    """A device function for one type, with a use for each call's result."""
    body = "\n".join(f"  out[{i}] = {call};" for i, call in enumerate(calls))
    unused = "(void)x, (void)y, (void)z, (void)n;"
    return f"SYCL_EXTERNAL void f(T *out, T x, T y, T z, int n) {{ {unused}\n{body}\n}}\n"


def _source(*kinds: str, calls: list[str]) -> str:
    parts = ["#include <sycl/sycl.hpp>\n"]
    for kind in kinds:
        parts.append(f"namespace for_{kind} {{ using T = {kind};\n{_function(calls)}}}\n")
    return "".join(parts).replace("for_sycl::half", "for_half")


def test_floating_point(spirv: Callable[..., str]) -> None:
    unary, binary, ternary, integer = (x.split() for x in (UNARY, BINARY, TERNARY, INTEGER))
    calls = [f"sycl::{name}(x)" for name in unary]
    calls += [f"sycl::{name}(x, y)" for name in [*binary, "min", "max"]]
    calls += [f"sycl::{name}(x, y, z)" for name in [*ternary, "clamp"]]
    calls += [f"sycl::{name}(x, n)" for name in integer]
    module = spirv(_source("float", "double", "sycl::half", calls=calls))

    names = {*unary, *binary, *ternary, *integer, *RENAMED.values()}
    found = set(re.findall(r"OpExtInst %(float|double|half) %\d+ (\w+)", module))
    assert found == {(kind, name) for kind in ("float", "double", "half") for name in names}
    assert " Import" not in module


def test_fast_forms(spirv: Callable[..., str]) -> None:
    unary, binary = FAST.split(), FAST_BINARY.split()
    spaces = ("native", "half_precision")
    calls = [f"sycl::{space}::{name}(x)" for space in spaces for name in unary]
    calls += [f"sycl::{space}::{name}(x, y)" for space in spaces for name in binary]
    module = spirv(_source("float", calls=calls))

    found = set(re.findall(r"OpExtInst %float %\d+ (\w+)", module))
    assert found == {f"{form}_{name}" for form in ("native", "half") for name in unary + binary}
    assert " Import" not in module


def test_questions(spirv: Callable[..., str]) -> None:
    calls = [f"sycl::{name}(x)" for name in QUESTIONS]
    module = spirv(_source("float", "double", "sycl::half", calls=calls))
    for instruction in QUESTIONS.values():
        assert len(re.findall(rf"Op{instruction} %bool", module)) == 3
    assert " Import" not in module


def test_integers(spirv: Callable[..., str]) -> None:
    calls = ["sycl::min(x, y)", "sycl::max(x, y)", "sycl::abs(x)", "sycl::clamp(x, y, z)"]
    module = spirv(_source("int", "unsigned", calls=calls))
    found = set(re.findall(r"OpExtInst %uint %\d+ (\w+)", module))
    assert found == {"s_min", "s_max", "s_abs", "u_min", "u_max"}


def test_integers_are_constant_expressions(check: Callable[..., None]) -> None:
    check(
        "#include <sycl/sycl.hpp>\n"
        "static_assert(sycl::min(3, -4) == -4 && sycl::max(3u, 4u) == 4u);\n"
        "static_assert(sycl::clamp(9, 1, 5) == 5 && sycl::abs(-3l) == 3l);\n"
        "static_assert(sycl::abs(static_cast<signed char>(-128)) == -128);\n",
        "-std=c++17",
    )


def test_calls_have_no_side_effects(device_ir: Callable[..., str]) -> None:
    module = device_ir(
        "#include <sycl/sycl.hpp>\n"
        "SYCL_EXTERNAL float f(float x) { return sycl::sin(x) + sycl::sin(x); }\n"
    )
    assert module.count("call spir_func noundef float @_Z15__spirv_ocl_sinf") == 1
