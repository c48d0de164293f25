"""Math functions for NVIDIA's and AMD's GPUs."""

import math
import re
import struct
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from dovetail.codegen.math import math_bodies
from dovetail.compilers.math_libraries import libdevice_path, ocml_path
from dovetail.ir import Context, Module
from dovetail.resources import include_directory
from dovetail.targets.ir_family import IRFamily

NVIDIA, AMD = IRFamily.NVPTX64, IRFamily.AMDGCN
LETTERS = {"half": "DF16_", "float": "f", "double": "d"}
NAN, INFINITY = math.nan, math.inf


def symbol_of(name: str, parameters: str, type_name: str) -> str:
    letters = parameters.replace("T", LETTERS[type_name])
    return f"_Z{len(name)}{name}{letters}"


def declared(file: str, shapes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Return the names and parameters in a list of the headers."""
    text = (include_directory() / "sycl/detail" / file).read_text()
    for shape, name in re.findall(r"^DOVETAIL_(\w+)\((\w+)\)$", text, re.MULTILINE):
        yield name, shapes[shape.removesuffix("_CL")]


def every_symbol() -> list[str]:
    """Return all math functions that the headers declare."""
    shapes = {"UNARY": "T", "BINARY": "TT", "TERNARY": "TTT", "INTEGER": "Ti"}
    plain = [*declared("math_functions.inc", shapes)]
    plain += [("fmin_common", "TT"), ("fmax_common", "TT"), ("fclamp", "TTT")]
    questions = re.findall(
        r"^DOVETAIL_QUESTION\((\w+)\)$",
        (include_directory() / "sycl/detail/spirv/math.hpp").read_text(),
        re.MULTILINE,
    )
    symbols = [
        symbol_of(f"__spirv_ocl_{name}", parameters, each)
        for (name, parameters), each in product(plain, LETTERS)
    ]
    symbols += [
        symbol_of(f"__spirv_{name}", "T", each) for name, each in product(questions, LETTERS)
    ]
    symbols += [
        symbol_of(f"__spirv_ocl_{kind}_{name}", parameters, "float")
        for name, parameters in declared("fast_math_functions.inc", shapes)
        for kind in ("native", "half")
    ]
    return symbols


def test_the_lists_of_the_headers_are_parsed() -> None:
    symbols = every_symbol()
    assert len(symbols) == len(set(symbols)) > 200
    assert {"_Z15__spirv_ocl_sinf", "_Z16__spirv_ocl_powndi", "_Z13__spirv_IsNanDF16_"} <= {
        *symbols
    }


@pytest.mark.parametrize("family", [NVIDIA, AMD])
def test_every_function_has_code_with_the_vendors_library(family: IRFamily) -> None:
    symbols = every_symbol()
    bodies = math_bodies(symbols, family, has_library=True)
    assert bodies.defined >= {*symbols}
    assert not bodies.missing
    assert bodies.needs_library
    Module.parse(Context(), bodies.text.encode(), "math").verify()


@pytest.mark.parametrize(
    ("family", "path", "prefix"),
    [(NVIDIA, libdevice_path(), "__nv_"), (AMD, ocml_path(), "__ocml_")],
)
def test_libraries_define_the_called_functions(
    family: IRFamily, path: str | None, prefix: str
) -> None:
    assert path, "the packages that the project lists have both libraries"
    text = math_bodies(every_symbol(), family, has_library=True).text
    wanted = Module.parse(Context(), text.encode(), "math").functions()
    library = Module.parse(Context(), Path(path).read_bytes(), path).functions()
    types = {f.name: (f.return_type, f.parameter_types) for f in library if not f.is_declaration}
    called = [function for function in wanted if function.name.startswith(prefix)]
    assert len(called) > 50
    for function in called:
        assert types[function.name] == (function.return_type, function.parameter_types)


@pytest.mark.parametrize(
    ("family", "processors"),
    [(NVIDIA, ["sm_53", "sm_75", "sm_90"]), (AMD, ["gfx803", "gfx90a", "gfx1030", "gfx1201"])],
)
def test_llvm_compiles_the_fallbacks_without_a_library(
    family: IRFamily, processors: list[str]
) -> None:
    symbols = every_symbol()
    bodies = math_bodies(symbols, family, has_library=False)
    assert not bodies.needs_library
    assert bodies.missing
    assert bodies.defined | bodies.missing >= {*symbols}
    text = f'target triple = "{family.triple}"\n{bodies.text}'
    module = Module.parse(Context(), text.replace("alwaysinline", "").encode(), "math")
    for processor in processors:
        assert module.emit(cpu=processor, assembly=True)


def test_without_a_library() -> None:
    def missing(family: IRFamily, *names: str) -> set[str]:
        symbols = [
            symbol_of(f"__spirv_ocl_{name}", "T", each) for name in names for each in LETTERS
        ]
        found = math_bodies(symbols, family, has_library=False).missing
        return {symbol.partition("ocl_")[2] for symbol in found}

    assert missing(AMD, "sqrt", "floor", "exp2", "rsqrt") == {"exp2d"}
    assert missing(AMD, "exp", "log10") == {"expd", "log10d"}
    assert missing(NVIDIA, "exp2") == {"exp2d"}
    assert missing(NVIDIA, "exp") == {"expDF16_", "expf", "expd"}
    assert missing(AMD, "erf") == {"erfDF16_", "erff", "erfd"}
    # A function that calls a missing one is missing too.
    symbol = symbol_of("__spirv_ocl_half_sin", "T", "float")
    assert symbol in math_bodies([symbol], AMD, has_library=False).missing


def test_half_is_computed_in_float_if_the_library_lacks_it() -> None:
    symbol = symbol_of("__spirv_ocl_sin", "T", "half")
    assert "@__nv_sinf(float" in math_bodies([symbol], NVIDIA, has_library=True).text
    assert "@__ocml_sin_f16(half" in math_bodies([symbol], AMD, has_library=True).text


def test_other_functions_are_ignored() -> None:
    bodies = math_bodies(["_Z1fv", "_Z9__spirv_fv"], NVIDIA, has_library=True)
    assert bodies == ("", frozenset(), frozenset(), False)


# Results are determined by LLVM's folding of calls with constant arguments.

STAND_IN = """
define float @__nv_powf(float %a, float %b) {
  %r = call float @llvm.pow.f32(float %a, float %b)
  ret float %r
}
define double @__nv_pow(double %a, double %b) {
  %r = call double @llvm.pow.f64(double %a, double %b)
  ret double %r
}
"""
"""Replacements for functions of NVIDIA's library."""


def constant(value: float, type_name: str) -> str:
    if type_name == "half":
        return f"0xH{struct.pack('>e', value).hex()}"
    if type_name == "float":
        value = struct.unpack("<f", struct.pack("<f", value))[0]
    return f"0x{struct.pack('>d', value).hex()}"


def parsed(text: str) -> float:
    if text.startswith("0xH"):
        return struct.unpack(">e", bytes.fromhex(text[3:]))[0]
    return struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text[:2] == "0x" else float(text)


def folded(name: str, type_name: str, *arguments: float) -> float:
    parameters = "".join("i" if isinstance(a, int) else "T" for a in arguments)
    symbol = symbol_of(name, parameters, type_name)
    bodies = math_bodies([symbol], NVIDIA, has_library=True)
    result = "i1" if "Is" in name or "SignBit" in name else type_name
    passed = ", ".join(
        f"i32 {a}" if isinstance(a, int) else f"{type_name} {constant(a, type_name)}"
        for a in arguments
    )
    text = re.sub(r"^declare .*@__nv_pow.*\n", "", bodies.text, flags=re.MULTILINE)
    text += STAND_IN if "__nv_pow" in text else ""
    text += (
        f"define {result} @asked() {{ %r = call {result} @{symbol}({passed})\nret {result} %r }}"
    )
    module = Module.parse(Context(), text.encode(), "math")
    module.run_passes("default<O2>")
    found = re.search(rf"ret {result} (\S+)\n", module.to_text().partition("@asked")[2])
    assert found
    return float(found[1] == "true") if result == "i1" else parsed(found[1])


def same(one: float, other: float) -> bool:
    """Compare numbers, including signs of zeros and NaN."""
    return (math.isnan(one) and math.isnan(other)) or (
        one == other and math.copysign(1, one) == math.copysign(1, other)
    )


EXACT = [
    ("sign", (-2.5,), -1.0),
    ("sign", (3.0,), 1.0),
    ("sign", (-0.0,), -0.0),
    ("sign", (NAN,), 0.0),
    ("step", (1.0, 0.5), 0.0),
    ("step", (1.0, 1.0), 1.0),
    ("fdim", (3.0, 1.0), 2.0),
    ("fdim", (1.0, 3.0), 0.0),
    ("fdim", (INFINITY, INFINITY), 0.0),
    ("fdim", (NAN, 1.0), NAN),
    ("fmin", (NAN, 1.0), 1.0),
    ("fmax", (2.0, NAN), 2.0),
    ("fmin_common", (2.0, 1.0), 1.0),
    ("fmax_common", (2.0, 1.0), 2.0),
    ("fclamp", (5.0, 1.0, 3.0), 3.0),
    ("fclamp", (-5.0, 1.0, 3.0), 1.0),
    ("mix", (1.0, 3.0, 0.5), 2.0),
    ("smoothstep", (0.0, 2.0, -1.0), 0.0),
    ("smoothstep", (0.0, 2.0, 1.0), 0.5),
    ("smoothstep", (0.0, 2.0, 9.0), 1.0),
    ("mad", (2.0, 3.0, 4.0), 10.0),
    ("fma", (2.0, 3.0, 4.0), 10.0),
    ("ldexp", (0.75, 3), 6.0),
    ("round", (2.5,), 3.0),
    ("rint", (2.5,), 2.0),
    ("trunc", (-2.5,), -2.0),
    ("ceil", (-2.5,), -2.0),
    ("floor", (-2.5,), -3.0),
    ("fabs", (-2.5,), 2.5),
    ("copysign", (2.0, -0.0), -2.0),
    ("sqrt", (2.25,), 1.5),
]


@pytest.mark.parametrize("type_name", LETTERS)
@pytest.mark.parametrize(("name", "arguments", "expected"), EXACT)
def test_exact_results(
    name: str, arguments: tuple[float, ...], expected: float, type_name: str
) -> None:
    assert same(folded(f"__spirv_ocl_{name}", type_name, *arguments), expected)


@pytest.mark.parametrize(
    ("name", "value", "expected"), [("degrees", math.pi, 180.0), ("radians", 180.0, math.pi)]
)
def test_angles(name: str, value: float, expected: float) -> None:
    for type_name, digits in (("half", 1e-3), ("float", 2e-7), ("double", 4e-16)):
        found = folded(f"__spirv_ocl_{name}", type_name, value)
        assert math.isclose(found, expected, rel_tol=digits)


POWERS = [
    ((2.0, 10.0), 1024.0),
    ((-0.0, 3.0), 0.0),
    ((0.0, -1.0), INFINITY),
    ((-2.0, 2.0), NAN),
    ((0.0, 0.0), NAN),
    ((INFINITY, 0.0), NAN),
    ((1.0, INFINITY), NAN),
    ((3.0, NAN), NAN),
    ((NAN, 0.0), NAN),
    ((5.0, 0.0), 1.0),
]


@pytest.mark.parametrize("type_name", ["float", "double"])
@pytest.mark.parametrize(("arguments", "expected"), POWERS)
def test_powers_of_non_negative_bases(
    arguments: tuple[float, float], expected: float, type_name: str
) -> None:
    assert same(folded("__spirv_ocl_powr", type_name, *arguments), expected)


@pytest.mark.parametrize("type_name", ["float", "double"])
@pytest.mark.parametrize(
    ("base", "exponent"),
    [(2.0, 10), (-2.0, 3), (2.0, -3), (7.0, 0), (-1.0, 16777217), (-1.0, -2147483647)],
)
def test_integer_powers(base: float, exponent: int, type_name: str) -> None:
    assert folded("__spirv_ocl_pown", type_name, base, exponent) == base**exponent


def test_large_integer_powers_are_precise() -> None:
    """An exponent that float cannot represent, with a base close to one."""
    base = 1 + 2**-23
    assert math.isclose(
        folded("__spirv_ocl_pown", "float", base, 2**27 + 1),
        base ** (2**27 + 1),
        rel_tol=8 * 2**-23,
    )


ASKED = [NAN, INFINITY, -INFINITY, 0.0, -0.0, 1.0, -1.0]
ANSWERS = {
    "IsNan": [True, False, False, False, False, False, False],
    "IsInf": [False, True, True, False, False, False, False],
    "IsFinite": [False, False, False, True, True, True, True],
    "IsNormal": [False, False, False, False, False, True, True],
    "SignBitSet": [False, False, True, False, True, False, True],
}


@pytest.mark.parametrize("type_name", LETTERS)
@pytest.mark.parametrize("name", ANSWERS)
def test_predicates(name: str, type_name: str) -> None:
    found = [bool(folded(f"__spirv_{name}", type_name, value)) for value in ASKED]
    assert found == ANSWERS[name]
