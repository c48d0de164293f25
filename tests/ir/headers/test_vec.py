"""Vectors and arrays for mathematics: layout, elements, operators and functions, mostly at compile
time, and what becomes of them on the device."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HEADERS = "".join(f"#include <sycl/{name}.hpp>\n" for name in ("external", "marray", "vec"))

LAYOUT = """
using namespace sycl;
static_assert(sizeof(float2) == 8 && alignof(float2) == 8);
static_assert(sizeof(float3) == 16 && alignof(float3) == 16 && float3::size() == 3);
static_assert(sizeof(char3) == 4 && alignof(char3) == 4);
static_assert(sizeof(half8) == 16 && alignof(half8) == 16);
static_assert(sizeof(double16) == 128 && alignof(double16) == 64);
static_assert(sizeof(vec<int, 1>) == 4 && float4::byte_size() == 16);
static_assert(sizeof(marray<float, 3>) == 12 && alignof(marray<float, 3>) == 4);
static_assert(std::is_trivially_copyable_v<float4> && std::is_trivially_copyable_v<half3>);
static_assert(std::is_same_v<uchar4::element_type, unsigned char>);
static_assert(std::is_same_v<long2, vec<long, 2>>);
"""

ELEMENTS = """
using namespace sycl;
constexpr int4 a(1, 2, 3, 4);
static_assert(a[0] == 1 && a.x() == 1 && a.w() == 4 && a.s3() == 4 && a.g() == 2);
static_assert(int4(7)[3] == 7 && int2{}[1] == 0);
constexpr int8 joined(a, 5, 6, a.lo());
static_assert(joined[3] == 4 && joined[5] == 6 && joined.s7() == 2);
static_assert(int2(a.lo())[1] == 2 && int2(a.hi())[0] == 3);
static_assert(int2(a.even())[1] == 3 && int2(a.odd())[1] == 4);
static_assert(int2(int3(1, 2, 3).hi())[0] == 3);
constexpr int3 turned = a.swizzle<elem::z, 1, elem::s0>();
static_assert(turned[0] == 3 && turned[1] == 2 && turned[2] == 1);
static_assert(vec(1.0f, 2.0f).size() == 2);
static_assert(std::is_same_v<decltype(vec(1, 2, 3)), int3>);
static_assert(!std::is_convertible_v<int, int4> && std::is_convertible_v<int, vec<int, 1>>);
static_assert(std::is_convertible_v<vec<int, 1>, int> && !std::is_convertible_v<int2, int>);
static_assert(!std::is_constructible_v<int4, int, int> && !std::is_constructible_v<int2, float2>);

constexpr int4 written() {
  int4 v(0);
  v.x() = 1;
  v[1] = 2;
  v.hi() = int2(3, 4);
  v.lo() += v.hi();
  v.swizzle<0, 1>() = v.swizzle<1, 0>();
  return v;
}
static_assert(written()[0] == 6 && written()[1] == 4 && written()[3] == 4);
"""

OPERATORS = """
using namespace sycl;
constexpr int4 a(1, 2, 3, 4);
static_assert((a + a)[3] == 8 && (a - 1)[0] == 0 && (2 * a)[1] == 4 && (12 / a)[2] == 4);
static_assert((a % 2)[0] == 1 && (a << 1)[1] == 4 && (a & 1)[1] == 0 && (a ^ a)[2] == 0);
static_assert((-a)[1] == -2 && (~a)[0] == -2 && (!a)[0] == 0 && (+a)[3] == 4);
static_assert((a == int4(1, 0, 3, 0))[0] == -1 && (a == int4(1, 0, 3, 0))[1] == 0);
static_assert((a < 3)[1] == -1 && (a >= 3)[1] == 0 && (a && 0)[0] == 0 && (a || 0)[0] == -1);
static_assert((a.lo() + a.hi())[1] == 6 && (2 * a.lo())[1] == 4 && (a.lo() == int2(1, 3))[1] == 0);
static_assert(std::is_same_v<decltype(float2(1) < float2(2)), int2>);
static_assert(std::is_same_v<decltype(double2(1) == 2.0), long2>);
static_assert(std::is_same_v<decltype(uchar2(1) + uchar2(2)), uchar2>);
static_assert((uchar2(200) + uchar2(100))[0] == 44);
static_assert((half2(half(1)) * half(2))[1] == half(2));
static_assert(float2(1.75f, -1.75f).convert<int>()[1] == -1);

constexpr int2 stepped() {
  int2 v(1, 2);
  v += 2;
  v *= v;
  ++v;
  v--;
  v -= int2(1, 0);
  return v;
}
static_assert(stepped()[0] == 8 && stepped()[1] == 16);

constexpr marray<int, 5> m(1, 2, 3, 4, 5);
static_assert((m * m)[4] == 25 && (m + 1)[0] == 2 && (m < 3)[1] && !(m < 3)[2] && (~m)[0] == -2);
static_assert(std::is_same_v<decltype(m == m), marray<bool, 5>>);
static_assert(std::is_same_v<decltype(marray(1.0f, 2.0f)), marray<float, 2>>);
"""

SIMPLE_SWIZZLES = """
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/vec.hpp>
using namespace sycl;
constexpr int4 a(1, 2, 3, 4);
static_assert(int3(a.zyx())[0] == 3 && int4(a.wwxy())[1] == 4 && int2(a.gb())[0] == 2);
constexpr int4 swapped() {
  int4 v = a;
  v.xy() = v.yx();
  return v;
}
static_assert(swapped()[0] == 2 && swapped()[1] == 1);
"""

FUNCTIONS = """
#include <cmath>
#include <cstdio>
using namespace sycl;
#define CHECK(CONDITION) if (!(CONDITION)) return std::puts(#CONDITION), 1
int main() {
  float4 v(1, 4, 9, 16);
  CHECK(sqrt(v)[3] == 4);
  CHECK(std::abs(sin(v)[1] - std::sin(4.0f)) < 1e-6f);
  CHECK(fmax(v, 5.0f)[0] == 5 && fmax(v, float4(0))[0] == 1);
  CHECK(max(v, 5.0f)[1] == 5 && clamp(v, 2.0f, 8.0f)[2] == 8 && mix(v, v * 3.0f, 0.5f)[0] == 2);
  CHECK(pow(v, 2.0f)[1] == 16 && ldexp(v, 2)[0] == 4 && ldexp(v, int4(0, 1, 2, 3))[1] == 8);
  CHECK(step(4.0f, v)[0] == 0 && step(4.0f, v)[1] == 1 && smoothstep(0.0f, 1.0f, v)[3] == 1);
  CHECK(sqrt(v.hi())[1] == 4 && native::sqrt(v)[2] == 3);
  CHECK(abs(int2(-3, 3))[0] == 3 && min(int2(1, 2), 1)[1] == 1);
  CHECK(dot(v, float4(1)) == 30 && length(float2(3, 4)) == 5);
  CHECK(distance(float2(1, 1), float2(4, 5)) == 5 && normalize(float2(0, 2))[1] == 1);
  CHECK(cross(float3(1, 0, 0), float3(0, 1, 0))[2] == 1);
  CHECK(any(v > 15.0f) && !all(v > 15.0f) && all(isfinite(v)) && !any(isnan(v)));
  CHECK(select(v, v + 1.0f, v < 5.0f)[0] == 2 && select(v, v + 1.0f, v < 5.0f)[3] == 16);
  CHECK(select(1, 2, true) == 2);
  CHECK((float2(1.5f, 2.5f).convert<int, rounding_mode::rte>()[1] == 2));
  CHECK((float2(1.5f, -1.5f).convert<int, rounding_mode::rtn>()[1] == -2));
  CHECK(float2(1.0f).as<uint2>()[0] == 0x3f800000u);
  CHECK((marray<float, 3>(1, 4, 9)[1] == 4 && sqrt(marray<float, 3>(1, 4, 9))[2] == 3));
  CHECK(sqrt(half2(half(4)))[0] == half(2));
  float memory[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  float2 part;
  part.load(1, memory);
  (part * 2.0f).store(3, memory);
  CHECK(part[1] == 3 && memory[6] == 4);
  return 0;
}
"""

KERNEL = """
SYCL_EXTERNAL void f(sycl::float4 *v, sycl::global_ptr<float> memory, int n) {
  sycl::float4 x;
  x.load(1, memory);
  v[0] = sycl::fma(v[0], v[1], x) * 2.0f;
  v[1].lo() = v[2].hi();
  v[2][n] = 3;
}
"""


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
@pytest.mark.parametrize(
    "source",
    [HEADERS + LAYOUT, HEADERS + ELEMENTS, HEADERS + OPERATORS, SIMPLE_SWIZZLES],
    ids=["layout", "elements", "operators", "simple-swizzles"],
)
def test_assertions_hold(check: Callable[..., None], source: str, standard: str) -> None:
    check(source, f"-std={standard}")


def test_assertions_hold_on_the_device(check: Callable[..., None]) -> None:
    for source in (HEADERS + LAYOUT, HEADERS + ELEMENTS, HEADERS + OPERATORS):
        check(source, "-fsycl", "-fsycl-device-only", "-std=c++17")


def test_functions_on_the_host(include: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    command = ["clang++-22", "-x", "c++", "-", "-std=c++17", f"-I{include}", "-o", str(program)]
    subprocess.run(command, input=HEADERS + FUNCTIONS, text=True, check=True)
    finished = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stdout) == (0, "")


def test_device_code(spirv: Callable[..., str]) -> None:
    module = spirv(HEADERS + KERNEL)
    assert module.count(" fma ") == 4
    assert " Import" not in module
    assert "OpFunctionCall" not in module
