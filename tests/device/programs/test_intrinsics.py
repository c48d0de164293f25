"""What clang offers on numbers, and LLVM has intrinsics for, computes what it computes on the host.

LLVM's SPIR-V back-end lacks instructions for some intrinsics, and makes instructions of others that
a driver may lack. All are compiled for the device and for the host, with every type.
"""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dovetail
from dovetail.resources import CLANG, tool_path

pytestmark = pytest.mark.device

INTEGERS = {f"{sign}{width}": width for sign in "iu" for width in (8, 16, 32, 64)}
FLOATS = ("float", "double")

ON_INTEGERS = {
    "add_overflow": "T r; bool o = __builtin_add_overflow(a, b, &r); return long(r) * 2 + o;",
    "sub_overflow": "T r; bool o = __builtin_sub_overflow(a, b, &r); return long(r) * 2 + o;",
    "mul_overflow": "T r; bool o = __builtin_mul_overflow(a, b, &r); return long(r) * 2 + o;",
    "add_sat": "return __builtin_elementwise_add_sat(a, b);",
    "sub_sat": "return __builtin_elementwise_sub_sat(a, b);",
    "max": "return __builtin_elementwise_max(a, b);",
    "min": "return __builtin_elementwise_min(a, b);",
    "abs": "return T(a < 0 ? 0 - Unsigned<T>(a) : a);",
    "bitreverse": "return __builtin_elementwise_bitreverse(a);",
    "popcount": "return __builtin_elementwise_popcount(a);",
    "leading_zeros": "return __builtin_clzg(Unsigned<T>(a), 77);",
    "trailing_zeros": "return __builtin_ctzg(Unsigned<T>(a), 77);",
    "funnel_left": "return T(__builtin_elementwise_fshl(a, b, T(c)));",
    "funnel_right": "return T(__builtin_elementwise_fshr(a, b, T(c)));",
    "three_way": "return (a > b) - (a < b);",
    "shifted": "return T(a ^ (b >> (c & 7)));",
}

ON_FLOATS = {
    name: f"return bits(__builtin_elementwise_{name}(a));"
    for name in ("abs", "ceil", "floor", "trunc", "rint", "nearbyint", "round", "roundeven")
} | {
    "canonicalize": "return bits(__builtin_elementwise_canonicalize(a));",
    "copysign": "return bits(__builtin_elementwise_copysign(a, b));",
    "minnum": "return bits(__builtin_elementwise_minnum(a, b));",
    "maxnum": "return bits(__builtin_elementwise_maxnum(a, b));",
    "minimum": "return bits(__builtin_elementwise_minimum(a, b));",
    "maximum": "return bits(__builtin_elementwise_maximum(a, b));",
    "minimumnum": "return bits(__builtin_elementwise_minimumnum(a, b));",
    "maximumnum": "return bits(__builtin_elementwise_maximumnum(a, b));",
    "ldexp": "return bits(__builtin_elementwise_ldexp(a, int(c) - 20));",
    "fma": "return bits(__builtin_elementwise_fma(a, b, T(c)));",
    "lrint": "return a < T(1e9) && a > T(-1e9) ? __builtin_lrint(double(a)) : 0;",
}

PRELUDE = """\
template <class T> struct UnsignedOf { using type = T; };
template <> struct UnsignedOf<signed char> { using type = unsigned char; };
template <> struct UnsignedOf<short> { using type = unsigned short; };
template <> struct UnsignedOf<int> { using type = unsigned; };
template <> struct UnsignedOf<long> { using type = unsigned long; };
template <class T> using Unsigned = typename UnsignedOf<T>::type;
using i8 = signed char; using i16 = short; using i32 = int; using i64 = long;
using u8 = unsigned char; using u16 = unsigned short;
using u32 = unsigned; using u64 = unsigned long;
static long bits(float x) { return x != x ? 77 : __builtin_bit_cast(int, x); }
static long bits(double x) { return x != x ? 77 : __builtin_bit_cast(long, x); }
"""

CASES = {
    f"{name}_{type_}": (name, type_)
    for names, types in ((ON_INTEGERS, INTEGERS), (ON_FLOATS, FLOATS))
    for name in names
    for type_ in types
}


def functions() -> str:
    bodies = ON_INTEGERS | {f"f_{name}": body for name, body in ON_FLOATS.items()}
    return PRELUDE + "".join(
        f"template <class T> static long {name}_(T a, T b, unsigned c) {{ {body} }}\n"
        for name, body in bodies.items()
    )


def call(name: str, type_: str) -> str:
    """The function on the i-th values, which are taken as the type by their bits."""
    prefix = "f_" if type_ in FLOATS else ""
    value = {
        "float": "__builtin_bit_cast(float, int({}))",
        "double": "__builtin_bit_cast(double, {})",
    }.get(type_, f"{type_}({{}})")
    a, b = value.format("in[i]"), value.format("in[i + 1]")
    return f"{prefix}{name}_<{type_}>({a}, {b}, unsigned(in[i + 2]) % 80)"


def device_source() -> str:
    marked = (
        "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))"
    )
    return (
        "#include <sycl/sycl.hpp>\n"
        + functions()
        + "".join(
            f"{marked} void {case}(const long *in, long *out) {{\n"
            "  auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);\n"
            f"  out[i] = {call(*what)};\n}}\n"
            for case, what in CASES.items()
        )
    )


def host_source() -> str:
    return functions() + "".join(
        f'extern "C" void {case}(const long *in, long *out) {{\n'
        f"  for (int i = 0; i < {COUNT}; ++i) out[i] = {call(*what)};\n}}\n"
        for case, what in CASES.items()
    )


COUNT = 256
_SPECIAL = [0, 1, -1, 2, -2, 127, 128, -128, 255, 256, 32767, -32768, 65535, 2**31 - 1, -(2**31)]
_FLOATS = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e9, -1e30, float("inf"), float("-inf"), 1e-40]


def inputs() -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    random = np.random.default_rng(7)
    whole = np.array([*_SPECIAL, 2**63 - 1, -(2**63)], np.int64)
    floats = np.array(_FLOATS, np.float32).view(np.int32).astype(np.int64)
    doubles = np.array(_FLOATS, np.float64).view(np.int64)
    values = np.concatenate(
        [whole, floats, doubles, random.integers(-(2**63), 2**63 - 1, 40, np.int64)]
    )
    return random.choice(values, COUNT + 2)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("host")
    (folder / "host.cpp").write_text(host_source())
    command = [tool_path(CLANG), "-O0", "-std=c++17", "-fPIC", "-shared", "-ffp-contract=off"]
    library = folder / "host.so"
    subprocess.run([*command, folder / "host.cpp", "-o", library], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module", params=["0", "2"])
def program(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dovetail.Program:
    source: Path = tmp_path_factory.mktemp("device") / "device.cpp"
    source.write_text(device_source())
    return dovetail.build(str(source), optimization=request.param)


@pytest.mark.parametrize("case", CASES)
def test_device_computes_what_the_host_computes(
    case: str, program: dovetail.Program, host: ctypes.CDLL
) -> None:
    given = inputs()
    expected, actual = np.zeros(COUNT, np.int64), np.zeros(COUNT, np.int64)
    getattr(host, case)(
        given.ctypes.data_as(ctypes.c_void_p), expected.ctypes.data_as(ctypes.c_void_p)
    )
    queue = dovetail.Queue()
    queue.parallel_for(program[case], dovetail.NdRange((COUNT,), (32,)), given, actual).wait()
    np.testing.assert_array_equal(actual, expected)
