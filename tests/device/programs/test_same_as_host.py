"""Code that LLVM's SPIR-V back-end, or a driver, once compiled wrongly or not at all.

Each case is a function that is compiled for the device, at all levels, and for the host.
docs/llvm-spirv.md says what was wrong.
"""

import ctypes
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dovetail
from dovetail.driver.building import OptimizationLevel
from dovetail.resources import CLANG, tool_path

pytestmark = pytest.mark.device

PRELUDE = """\
#include <climits>
#include <cstring>
#define NOINLINE [[gnu::noinline]] static

NOINLINE int remainder_of(int a, int b) {
  return b == 0 || (a == INT_MIN && b == -1) ? b : a % b;
}
static int guarded(int a, int b) { return b == 0 || (a == INT_MIN && b == -1) ? b : a % b; }

struct PointerFirst { const long *p; long o[4]; };
NOINLINE long read(PointerFirst s, long x) { return s.p[s.o[1]] * 7 + x + s.o[3]; }
static long read_both(PointerFirst s) { return read(s, s.p[s.o[0] + 1]); }

struct Small { char f[4]; char g; };
NOINLINE long sum(Small s) { return s.f[0] + 2 * s.f[1] + 3 * s.f[2] + 5 * s.f[3] + 7 * s.g; }
NOINLINE long changed(Small s, Small *other) {
  s.f[1] += 3;
  other->f[2] = 9;
  return sum(s) * 3 + sum(*other);
}
NOINLINE Small made(long n) { return {{char(n), char(n * 3), char(n / 2), 1}, char(n ^ 5)}; }

typedef signed char Bytes __attribute__((ext_vector_type(8)));
struct Gap { unsigned char a; unsigned b; };
NOINLINE Gap returned(Gap g, Bytes v) { v[1] = g.a; return g; }
union Overlaid { Gap gap; unsigned words[2]; };
NOINLINE Overlaid changed(Overlaid u, long n) { if (n & 1) u.gap.a += 3; return u; }

typedef unsigned char ThreeBytes __attribute__((ext_vector_type(3)));
struct OfThree { ThreeBytes v; };
NOINLINE OfThree copied(const OfThree &s) { return s; }

NOINLINE long get(const long *p) { return *p; }

static unsigned reversed_by_loop(unsigned x) {
  unsigned r = 0;
  for (int i = 0; i < 32; ++i, x >>= 1) r = (r << 1) | (x & 1);
  return r;
}

static unsigned reversed_by_swaps(unsigned v) {
  v = ((v >> 1) & 0x55555555) | ((v & 0x55555555) << 1);
  v = ((v >> 2) & 0x33333333) | ((v & 0x33333333) << 2);
  v = ((v >> 4) & 0x0F0F0F0F) | ((v & 0x0F0F0F0F) << 4);
  v = ((v >> 8) & 0x00FF00FF) | ((v & 0x00FF00FF) << 8);
  return (v >> 16) | (v << 16);
}

typedef bool Truths __attribute__((ext_vector_type(8)));
typedef bool FewTruths __attribute__((ext_vector_type(4)));
typedef int Ints __attribute__((ext_vector_type(4)));
typedef long Three __attribute__((ext_vector_type(3)));
NOINLINE long three(int i, Three v) {
  v[i % 3] += 2;
  return v[0] + 3 * v[1] + 5 * v[2];
}
typedef int Eight __attribute__((ext_vector_type(8)));
struct Filled { long m[8]; };
NOINLINE Filled copied(const Filled &s) { return s; }
static long filled(long i, const long *a) {
  Filled s{};
  s.m[0] = 1;
  Filled t = copied(s);
  long r = a[(i + 1) & 7];
  for (int k = 0; k < 8; ++k) r = r * 3 + t.m[k];
  return r;
}
typedef int Five __attribute__((ext_vector_type(5)));

#define SIGNED(N) _BitInt(N), unsigned _BitInt(N)

// U is T without a sign: what overflows has to be computed there.
template <class T, class U> static long mixed(long x, long y, unsigned s) {
  T a = T(x), b = T(y);
  T sum = U(a) + U(b), difference = U(a) - U(b), product = U(a) * U(b);
  T quotient = b == 0 || b == T(-1) ? a : T(a / b), rest = b == 0 || b == T(-1) ? a : T(a % b);
  T left = U(a) << s, right = a >> s;
  long r = long(sum) * 3 + long(difference) * 5 + long(product) * 7 + long(quotient) * 11;
  r += long(rest) * 13 + long(left) * 17 + long(right) * 19 + long(float(a) * 0.5f);
  return r + (a < b ? 23 : 29) + (sum > difference ? 31 : 37);
}
// What optimizers recognize as the upper half of a product of 128 bits.
static long high(unsigned long x, unsigned long y) {
  unsigned long low = 0xffffffff;
  unsigned long middle = (x >> 32) * (y & low) + (((x & low) * (y & low)) >> 32);
  unsigned long other = (x & low) * (y >> 32) + (middle & low);
  return (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
}
template <class T> static long wide(long x, long y, unsigned s) {
  T a = T(x) << 30 ^ T(y), b = T(y) << (s % 50) ^ T(x);
  T c[3] = {a + b, a - b, (a & b) | (a ^ b)};
  T left = a << s, right = b >> s, picked = a < b ? left : right;
  for (unsigned k = 0; k < s % 4; ++k) picked = (picked << 7) ^ c[k % 3];
  long r = long(c[s % 3]) * 3 + long(left >> 37) * 5 + long(right) * 7 + long(picked >> 60) * 11;
  r += (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a == b) + 16 * (c[0] >= c[1]) + 32 * (a != c[2]);
  T product = a * b;
  return r + long(picked) * 13 + long(product) * 17 + long(product >> 64) * 19 + high(x, y);
}
template <class T> static long stored(const long *in, int i) {
  T a[4];
  for (int k = 0; k < 4; ++k) a[k] = T(in[i] * (k + 1) + in[k]);
  long s = 0;
  for (int k = 0; k < 4; ++k) s = s * 5 + long(a[(k + in[i + 1]) & 3]);
  return s;
}
"""

CASES = {
    "guarded_division": """
      int y = int(in[i] % 32) - 3;
      for (int t = 0; t < 7; ++t) y = guarded(255, y) > t ? 5 : guarded(255, y);
      return y;""",
    "guarded_division_in_a_function": """
      int y = int(in[i] % 32) - 3;
      for (int t = 0; t < 7; ++t) y = remainder_of(255, y) > t ? 5 : remainder_of(255, y);
      return y;""",
    "class_with_a_pointer": """
      PointerFirst two[2] = {{in, {i % 8, (i + 2) % 8, i, i * 3}}, {in + 1, {i % 4, 1, 2, i}}};
      return read_both(two[in[i] & 1]) * 3 + read_both(two[i & 1]);""",
    "small_class": "return sum({{char(i), char(i + 1), char(i * 2), char(i / 2)}, char(i ^ 3)});",
    "small_class_that_is_changed": """
      Small s{{char(i), char(i + 1), char(i * 2), char(i / 2)}, char(i ^ 3)};
      long r = changed(s, &s);
      return r * 31 + sum(s) + sum(made(in[i]));""",
    "class_with_a_gap": """
      Gap g = {(unsigned char)(i * 7 + 1), unsigned(i) * 1001};
      Gap h = returned(g, Bytes{1, 2, 3, 4, 5, 6, 7, 8});
      return h.b * 256l + h.a;""",
    "bytes_in_a_gap": """
      Overlaid u;
      u.words[0] = unsigned(in[i]), u.words[1] = unsigned(i);
      Overlaid v = changed(u, i);
      return v.words[0] * 3l + v.words[1] * 5l + v.gap.a;""",
    "store_between_two_reads": """
      long a[2] = {in[i], in[i + 1]};
      long first = get(a + (i & 1));
      a[i & 1] = first + 5;
      return get(a + (i & 1)) * 2 + first;""",
    "reversed_bits": """
      return reversed_by_loop(unsigned(in[i])) + reversed_by_swaps(unsigned(in[i]));""",
    "booleans_as_an_integer": """
      Bytes a, b;
      for (int k = 0; k < 8; ++k) { a[k] = in[i + k]; b[k] = in[i + 1] + k; }
      return __builtin_bit_cast(unsigned char, __builtin_convertvector(a < b, Truths));""",
    "few_booleans": """
      Ints a, b;
      for (int k = 0; k < 4; ++k) { a[k] = int(in[i + k]); b[k] = int(in[i]); }
      FewTruths t = __builtin_convertvector(a == b, FewTruths);
      return t[0] + 2 * t[1] + 4 * t[2] + 8 * t[3];""",
    "bytes_of_ints": """
      alignas(8) char a[64];
      for (int k = 0; k < 16; ++k) { int v = int(in[(i + k) % 64]); std::memcpy(a + 4 * k, &v, 4); }
      int n = 0;
      for (int k = 0; k < 32; ++k) n += a[k] == a[63 - k];
      for (int k = 1; k < 64; ++k) n += a[k] < a[k - 1];
      return n;""",
    "five_elements": """
      Five a, b;
      for (int k = 0; k < 5; ++k) { a[k] = int(in[i + k]); b[k] = int(in[i]) * k; }
      Five c = a * b + a;
      return c[0] + c[1] * 3l + c[2] * 5l + c[3] * 7l + c[4] * 11l;""",
    "three_elements": """
      Three v = {};
      v[(i + 1) % 3] = in[i];
      return three(i, v) * 7 + three(i * 3, Three{in[i], i, in[i + 1]});""",
    "int24": """
      long r = mixed<SIGNED(24)>(in[i], in[i + 1], i % 24);
      return r + stored<_BitInt(24)>(in, i);""",
    "uint24": "return mixed<unsigned _BitInt(24), unsigned _BitInt(24)>(in[i], in[i + 1], i % 24);",
    "int40": """
      long r = mixed<SIGNED(40)>(in[i], in[i + 1], i % 40);
      return r + stored<_BitInt(40)>(in, i);""",
    "uint7": "return mixed<unsigned _BitInt(7), unsigned _BitInt(7)>(in[i], in[i + 1], i % 7);",
    "int17": """
      long r = mixed<SIGNED(17)>(in[i], in[i + 1], i % 17);
      return r + stored<_BitInt(17)>(in, i);""",
    "int128": "return wide<_BitInt(128)>(in[i], in[i + 1], i % 128);",
    "uint128": "return wide<unsigned _BitInt(128)>(in[i], in[i + 1], i % 128);",
    "int100": "return wide<_BitInt(100)>(in[i], in[i + 1], i % 100) + stored<_BitInt(100)>(in, i);",
    "uint77": "return wide<unsigned _BitInt(77)>(in[i], in[i + 1], i % 77);",
    "read_as_another_type": """
      union { int as_ints[8]; long as_longs[4]; unsigned char as_bytes[32]; } u{};
      Eight v = {};
      for (int k = 0; k < 8; ++k) v[k] = int(in[i + k % 4]) * (k + 1);
      std::memcpy(&u, &v, sizeof v);
      return u.as_longs[1] * 3 + u.as_longs[i & 3] * 5 + u.as_bytes[(i * 7) & 31];""",
    "index_into_a_vector": """
      Ints v = {};
      v[i & 3] = int(in[i]);
      return v[0] + 3l * v[1] + 5l * v[2] + 7l * v[3] + 11l * v[in[i + 1] & 3];""",
    "sums_of_ids": """
      unsigned a = unsigned(i);
      return (~a - a) + (a + 1) * 2l + (a * 3u - (a << 1) + 5u) * 7l;""",
    "initialised_alike": """
      long a[8] = {};
      a[7] = i;
      return a[i & 7] + filled(i, a) * 3;""",
    "extremes_of_complements": """
      int a = ~int(in[i]), b = ~int(in[i + 1]);
      return a > b ? a : b;""",
    "condition_before_a_loop": """
      bool odd = in[i] & 1;
      long sum = 0, some = 0;
      for (int k = 0; k < 7; ++k) {
        if (in[k] & 1) sum += in[i * i & 15];
        if (odd) some += k;
      }
      return sum * 100 + some;""",
    "selection_in_a_loop": """
      int sum = 0;
      float some = 0;
      for (int k = 0; k < 7; ++k) {
        if ((in[k] & 1) == 0) sum += int(in[i * (k - 5) & 15]);
        some = some * 2 + ((in[i] & 1) != 0 && k ? k : 1);
      }
      return sum * 10l + long(some);""",
    "selected_address": """
      unsigned char c = in[i] & 1, v[4] = {c, 0, 0, c}, w[4] = {1, 1, 1, 1}, x = w[i & 3];
      const unsigned char *p = c ? &v[0] : &v[i & 3];
      unsigned char y = *p, z = v[i & 3];
      return (y >= x) * 3 + (z >= x) * 5;""",
    "class_of_three_bytes": """
      OfThree s = {}, t = copied(s);
      return t.v[0] * 3 + t.v[1] * 5 + t.v[2] * 7;""",
    "uint3": "return stored<unsigned _BitInt(3)>(in, i);",
    "int56": "return mixed<SIGNED(56)>(in[i], in[i + 1], i % 56);",
}

KERNEL = "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))"
COUNT = 64
INPUT = np.concatenate(
    [
        np.array([0, 1, -1, 2, 3, 255, -128, 2**31 - 1, -(2**31), 2**23, -(2**23), 7], np.int64),
        np.random.default_rng(1).integers(-(2**31), 2**31, COUNT),
    ]
)


def functions() -> str:
    texts = (f"long {name}(const long *in, int i) {{{body}\n}}\n" for name, body in CASES.items())
    return PRELUDE + "".join(f"static {text}" for text in texts)


def device_source() -> str:
    kernels = (
        f"{KERNEL} void device_{name}(const long *in, long *out) {{\n"
        "  int i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);\n"
        f"  out[i] = {name}(in, i);\n}}\n"
        for name in CASES
    )
    return "#include <sycl/sycl.hpp>\n" + functions() + "".join(kernels)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder: Path = tmp_path_factory.mktemp("host")
    source, library = folder / "host.cpp", folder / "host.so"
    exported = (
        f'extern "C" long host_{name}(const long *in, int i) {{ return {name}(in, i); }}\n'
        for name in CASES
    )
    source.write_text(functions() + "".join(exported))
    words = ["-std=c++20", "-O0", "-fwrapv", "-shared", "-fPIC", "-w"]
    subprocess.run([tool_path(CLANG), *words, source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module", params=["0", "1", "2", "3"])
def program(request: pytest.FixtureRequest) -> dovetail.Program:
    return dovetail.build(device_source(), optimization=request.param, standard="c++20")


@pytest.mark.parametrize("group", [1, 16, 64])
@pytest.mark.parametrize("name", CASES)
def test_device_computes_what_the_host_computes(
    name: str, group: int, program: dovetail.Program, host: ctypes.CDLL
) -> None:
    output = np.zeros(COUNT, np.int64)
    nd_range = dovetail.NdRange((COUNT,), (group,))
    dovetail.Queue().parallel_for(program[f"device_{name}"], nd_range, INPUT, output).wait()
    compute = host[f"host_{name}"]
    compute.restype = ctypes.c_long
    pointer = ctypes.c_void_p(INPUT.ctypes.data)
    assert output.tolist() == [compute(pointer, i) for i in range(COUNT)]


NEGATED = f"""#include <sycl/sycl.hpp>
{KERNEL} void negated(const float *in, int *out, int *more) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  unsigned i = item.get_global_id(0), local = item.get_local_id(0);
  float a = -float(local), b = -in[i], c = local % 2 ? -float(i) : float(i);
  sycl::group_barrier(item.get_group());
  out[i] = __builtin_bit_cast(int, a) ^ __builtin_bit_cast(int, b);
  more[i] = __builtin_bit_cast(int, c);
}}
"""


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("group", [1, 2, 16])
def test_negated_numbers_behind_a_barrier(group: int, level: OptimizationLevel) -> None:
    program = dovetail.build(NEGATED, optimization=level)
    given = np.arange(COUNT, dtype=np.float32) - 20
    out, more = np.zeros(COUNT, np.int32), np.zeros(COUNT, np.int32)
    nd_range = dovetail.NdRange((COUNT,), (group,))
    dovetail.Queue().parallel_for(program["negated"], nd_range, given, out, more).wait()
    place = np.arange(COUNT, dtype=np.float32)
    local = place % group
    assert out.tolist() == ((-local).view(np.int32) ^ (-given).view(np.int32)).tolist()
    assert more.tolist() == np.where(local % 2, -place, place).view(np.int32).tolist()


NEGATED_TWICE = f"""#include <sycl/sycl.hpp>
[[gnu::noinline]] static float negated(float x) {{ return -x; }}
{KERNEL} void twice(int *out) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  unsigned i = item.get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 2; ++k) {{
    sum = sum * 31 + __builtin_bit_cast(int, -float(i)) + __builtin_bit_cast(int, negated(i + 1));
    sycl::group_barrier(item.get_group());
  }}
  out[i] = sum * 31 + __builtin_bit_cast(int, -float(i)) + __builtin_bit_cast(int, negated(i + 1));
}}
"""


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("group", [1, 16])
def test_numbers_negated_before_and_after_a_barrier(group: int, level: OptimizationLevel) -> None:
    program = dovetail.build(NEGATED_TWICE, optimization=level)
    out = np.zeros(COUNT, np.int32)
    dovetail.Queue().parallel_for(
        program["twice"], dovetail.NdRange((COUNT,), (group,)), out
    ).wait()
    i = np.arange(COUNT, dtype=np.float32)
    once = (-i).view(np.int32) + (-(i + 1)).view(np.int32)
    assert out.tolist() == ((once * 31 + once) * 31 + once).tolist()


CONVERTED = f"""#include <sycl/sycl.hpp>
{KERNEL} void converted(const unsigned char *in, double *out, float *more) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  auto memory = *sycl::ext::oneapi::group_local_memory<unsigned short[64]>(item.get_group());
  unsigned i = item.get_global_id(0), local = item.get_local_id(0);
  memory[local] = in[i];
  sycl::group_barrier(item.get_group());
  signed char byte = memory[local];
  sycl::group_barrier(item.get_group());
  short mask = 0;
  if (byte <= 1)
    mask = ~mask;
  out[i] = double(mask);
  float sum = 0;
  for (int k = 0; k < 2; ++k) {{
    sycl::group_barrier(item.get_group());
    long number = -(unsigned long)(local < 1 ? local : 1);
    sum = sum * 8 + float(number);
    sycl::group_barrier(item.get_group());
  }}
  more[i] = sum;
}}
"""


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("group", [1, 2, 16])
def test_negative_integers_converted_between_barriers(group: int, level: OptimizationLevel) -> None:
    program = dovetail.build(CONVERTED, optimization=level)
    given = np.arange(COUNT, dtype=np.uint8) % 4
    out, more = np.zeros(COUNT, np.float64), np.zeros(COUNT, np.float32)
    nd_range = dovetail.NdRange((COUNT,), (group,))
    dovetail.Queue().parallel_for(program["converted"], nd_range, given, out, more).wait()
    assert out.tolist() == np.where(given <= 1, -1.0, 0.0).tolist()
    assert more.tolist() == np.where(np.arange(COUNT) % group, -9.0, 0.0).tolist()


FACTORS = f"""#include <sycl/sycl.hpp>
{KERNEL} void factors(float *out) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  unsigned i = item.get_global_id(0), local = item.get_local_id(0);
  float signs[4] = {{1, -1, 2, -1}}, products[4];
  for (int k = 0; k < 4; ++k)
    products[k] = float(local + k) * signs[k];
  float step = -1.5f, sum = 0;
  for (int k = 0; k < 3; ++k, step += 0.5f)
    sum = sum * 4 + float(local + k) * step;
  sycl::group_barrier(item.get_group());
  for (int k = 0; k < 4; ++k)
    sum = sum * 4 + products[k];
  out[i] = sum;
}}
"""


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("group", [1, 16])
def test_factors_that_unrolled_loops_show_to_be_minus_one(
    group: int, level: OptimizationLevel
) -> None:
    program = dovetail.build(FACTORS, optimization=level)
    out = np.zeros(COUNT, np.float32)
    nd_range = dovetail.NdRange((COUNT,), (group,))
    dovetail.Queue().parallel_for(program["factors"], nd_range, out).wait()
    local = np.arange(COUNT) % group
    expected = np.zeros(COUNT)
    for k, step in enumerate((-1.5, -1.0, -0.5)):
        expected = expected * 4 + (local + k) * step
    for k, sign in enumerate((1, -1, 2, -1)):
        expected = expected * 4 + (local + k) * sign
    assert out.tolist() == expected.tolist()


EDGES = f"""#include <sycl/sycl.hpp>
{KERNEL} void edges(const int *in, double *quotient, double *overflow, float *truncated) {{
  unsigned i = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  quotient[i] = 2.0 * (0.0 / double(in[i]));
  unsigned long large = (unsigned long)in[i] << 63;
  overflow[i] = double(float(sycl::half(float(large))));
  float small = float(in[i]) * -0.5f;
  truncated[i] = float(sycl::half(float(int(small))));
}}
"""


@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_edges_of_floating_point(level: OptimizationLevel) -> None:
    program = dovetail.build(EDGES, optimization=level)
    given = np.arange(COUNT, dtype=np.int32) % 2
    quotient, overflow = np.ones(COUNT), np.ones(COUNT)
    truncated = np.ones(COUNT, np.float32)
    nd_range = dovetail.NdRange((COUNT,), (16,))
    arguments = given, quotient, overflow, truncated
    dovetail.Queue().parallel_for(program["edges"], nd_range, *arguments).wait()
    assert np.isnan(quotient).tolist() == (given == 0).tolist()
    assert overflow.tolist() == np.where(given, np.inf, 0.0).tolist()
    assert not np.signbit(truncated).any()
    assert not truncated.any()


WRAPPED = [
    ("int", "0x7ffffff0u + unsigned(lid)"),
    ("int", "lid << 27"),
    ("short", "short(lid) << 12"),
    ("signed char", "gid * 5"),
]


@pytest.mark.parametrize("level", ["0", "2"])
def test_signs_of_sums_that_wrapped(level: OptimizationLevel) -> None:
    kernels = "".join(
        f"""{KERNEL} void wrapped_{number}(long *out) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  unsigned long gid = item.get_global_id(0), lid = item.get_local_id(0);
  out[gid] = ({integer})({text});
}}
"""
        for number, (integer, text) in enumerate(WRAPPED)
    )
    program = dovetail.build(f"#include <sycl/sycl.hpp>\n{kernels}", optimization=level)
    gid = np.arange(COUNT, dtype=np.int64)
    lid = gid % 64
    wide = [lid + 0x7FFFFFF0, lid << 27, lid << 12, gid * 5]
    for number, (sum_of_ids, dtype) in enumerate(
        zip(wide, (np.int32, np.int32, np.int16, np.int8), strict=True)
    ):
        out = np.zeros(COUNT, np.int64)
        nd_range = dovetail.NdRange((COUNT,), (64,))
        dovetail.Queue().parallel_for(program[f"wrapped_{number}"], nd_range, out).wait()
        assert out.tolist() == sum_of_ids.astype(dtype).tolist(), WRAPPED[number]


SUMS = [
    "gid + lid + 1",
    "(gid + 1) * 2 + lid",
    "gid - lid + 1",
    "~lid - gid",
    "~gid - gid",
    "gid * 5 + lid * 3 - 7",
    "(lid << 2) - (gid ^ 0xffffffffu)",
    "5u - gid - lid",
]


@pytest.mark.parametrize("integer", ["unsigned", "unsigned long"])
def test_sums_of_global_and_local_ids(integer: str) -> None:
    kernels = "".join(
        f"""{KERNEL} void sum_{number}(unsigned *out) {{
  auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  {integer} gid = item.get_global_id(0), lid = item.get_local_id(0);
  out[gid] = {text};
}}
"""
        for number, text in enumerate(SUMS)
    )
    program = dovetail.build(f"#include <sycl/sycl.hpp>\n{kernels}")
    gid = np.arange(COUNT, dtype=np.uint32)
    for group in (8, 32, 64):
        for number, text in enumerate(SUMS):
            out = np.zeros(COUNT, np.uint32)
            nd_range = dovetail.NdRange((COUNT,), (group,))
            dovetail.Queue().parallel_for(program[f"sum_{number}"], nd_range, out).wait()
            values = {"gid": gid, "lid": gid % np.uint32(group)}
            expected = eval(text.replace("u", ""), {}, values).astype(np.uint32)
            assert out.tolist() == expected.tolist(), f"{text}, work-groups of {group}"


EXTREMES = {
    # The index into `out` or `in` is also an operand.
    "address": "largest(g, in[1]) * 32 + smallest(g, in[2]) + g",
    "element": "largest(g, in[g]) * 32 + smallest(g, in[2]) + g",
    "branches": "branched(g, in[1]) * 32 + g",
    "complement": "~largest(g, in[1]) + ~smallest(g, in[2]) * 64",
    "of_complements": "largest(~in[g], ~in[g + 1])",
}
EXPECTED_EXTREMES: dict[str, Callable[[int], int]] = {
    "address": lambda g: max(g, 7) * 32 + min(g, 14) + g,
    "element": lambda g: max(g, g * 7 % 50) * 32 + min(g, 14) + g,
    "branches": lambda g: min(g, 7) * 32 + g,
    "complement": lambda g: ~max(g, 7) + ~min(g, 14) * 64,
    "of_complements": lambda g: ~min(g * 7 % 50, (g + 1) * 7 % 50),
}
EXTREMES_PRELUDE = """\
template <class T> static T largest(T a, T b) { return a > b ? a : b; }
template <class T> static T smallest(T a, T b) { return a < b ? a : b; }
template <class T> static T branched(T a, T b) {
  T r;
  if (a < b) r = a; else r = b;
  return r;
}
"""


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("integer", ["long", "unsigned long", "int", "unsigned"])
def test_minima_and_maxima_of_indices(integer: str, level: OptimizationLevel) -> None:
    kernels = "".join(
        f"""{KERNEL} void {name}(const {integer} *in, {integer} *out) {{
  {integer} g = sycl::ext::oneapi::this_work_item::get_nd_item<1>().get_global_id(0);
  out[g] = {text};
}}
"""
        for name, text in EXTREMES.items()
    )
    source = f"#include <sycl/sycl.hpp>\n{EXTREMES_PRELUDE}{kernels}"
    program = dovetail.build(source, optimization=level)
    types = {"long": np.int64, "unsigned long": np.uint64, "int": np.int32, "unsigned": np.uint32}
    kind = types[integer]
    given = np.array([number * 7 % 50 for number in range(COUNT + 1)], kind)
    mask = 2 ** (8 * given.itemsize) - 1
    for name, compute in EXPECTED_EXTREMES.items():
        out = np.zeros(COUNT, kind)
        nd_range = dovetail.NdRange((COUNT,), (8,))
        dovetail.Queue().parallel_for(program[name], nd_range, given, out).wait()
        assert [int(n) & mask for n in out] == [compute(g) & mask for g in range(COUNT)], name
