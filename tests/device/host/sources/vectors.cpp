// Vectors, swizzles, arrays and bfloat16, the same on the host and in a kernel. Prints the number
// of the first line that fails.
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <limits>

using sycl::ext::oneapi::bfloat16;

#define EXPECT(...)                                                                                \
  if (!(__VA_ARGS__))                                                                              \
  return __LINE__

bool near(float left, float right, float tolerance = 1e-5f) {
  return sycl::fabs(left - right) <= tolerance;
}

int dot_products() {
  using namespace sycl::ext::oneapi;
  const sycl::vec<std::int8_t, 4> small(-1, 2, -3, 4);
  const sycl::vec<std::uint8_t, 4> bytes(200, 100, 50, 25);
  EXPECT(dot_acc(small, bytes, 5) == -45 && dot_acc(bytes, small, 5) == -45);
  EXPECT(dot_acc(small, small, -30) == 0 && dot_acc(bytes, bytes, 0) == 53125);
  EXPECT(dot_acc_4x8packed(0x04fd02ff, 0x193264c8u, 5) == -45);
  EXPECT(dot_acc_4x8packed(0x04fd02ffu, -1, 0) == -514 && dot_acc_4x8packed(-1, -1, 0) == 4);
  EXPECT(dot_acc_4x8packed(~0u, ~0u, 1) == 260101);
  return 0;
}

int swizzles() {
  sycl::float4 v(1, 2, 3, 4);
  const sycl::float4 fixed = v;
  EXPECT(v.xyz().y() == 2 && v.wzyx().lo().hi() == 3.0f && v.lo().hi()[0] == 2);
  EXPECT(fixed.hi().lo() == 3.0f && fixed.swizzle<3, 2, 1, 0>().even().odd()[0] == 2);
  EXPECT(v.bgra().rg().g() == 2 && v.xyzw().swizzle<sycl::elem::w>() == 4.0f);
  v.xyz().y() = 7;
  v.lo().lo() = 5;
  v.hi().hi() += 2;
  EXPECT(sycl::all(v == sycl::float4(5, 7, 3, 6)));
  v.xy() = v.yx();
  v.zw() *= v.xy();
  v.zyx().xy() = 1.0; // z and y
  EXPECT(sycl::all(v == sycl::float4(7, 1, 1, 30)));
  v.lo()++;
  --v.hi();
  EXPECT(sycl::all(v++ == sycl::float4(8, 2, 0, 29)));
  EXPECT(sycl::any(v.lo() < v.hi()) && !sycl::all(v.lo() < 5.0f) && sycl::all(1.0f < v.lo()));
  EXPECT(sycl::all(2 * v.lo() - v.xy() == v.lo()) && sycl::all(v.xx() / v.yy() == 3.0f));
  EXPECT(v.xyz().size() == 3 && v.xyz().byte_size() == 16 && v.lo().convert<int>().y() == 3);
  EXPECT(v.lo().as<sycl::int2>()[1] == 0x40400000);
  EXPECT(sycl::max(v.lo(), 4.0f).y() == 4 && sycl::fmax(v.lo(), v.hi())[1] == 30);
  EXPECT(sycl::length(v.swizzle<1, 1, 2>()) > 4 && sycl::dot(v.xy(), v.yx()) == 54);
  sycl::float3 three(1, 2, 3);
  three.xyz().hi() = sycl::float2(9, 8);
  EXPECT(three.z() == 9 && three.x() == 1);

  sycl::int4 i(12, 5, -3, 0);
  EXPECT(sycl::all((i.lo() & 4) == sycl::int2(4, 4)) && (i.lo() << 1)[1] == 10 &&
         (~i.hi())[0] == 2);
  EXPECT((!i.hi())[1] == -1 && (i.lo() && i.hi())[1] == 0 && (i.lo() % 5)[0] == 2 &&
         (-i.hi())[0] == 3);
  i.lo() <<= 2;
  i.odd() |= 1;
  EXPECT(i[0] == 48 && i[1] == 21 && i[3] == 1);
  return 0;
}

int constructions(double n) {
  sycl::vec<float, 1> one{n * 0.5};
  EXPECT(one == 1.25f && one * 2 == 2.5f && 2 * one > 2 && one.x() == 1.25f);
  one += 1;
  float scalar = one;
  EXPECT(scalar == 2.25f);
  sycl::vec<float, 4> all{n * 0.5};
  EXPECT(all.w() == 1.25f && (all * 2)[0] == 2.5f && (1 - all)[1] == -0.25f);
  sycl::marray<float, 3> array{n};
  EXPECT(array[2] == 2.5f && (array * 2.0)[0] == 5 && (array < 3)[1]);
  sycl::marray<float, 5> joined(array, 1, n * 2);
  EXPECT(joined[2] == 2.5f && joined[3] == 1 && joined[4] == 5);
  sycl::uchar4 colour(n * 100, 1, 2, 255);
  EXPECT(colour.x() == 250 && sycl::uchar4::byte_size() == 4 && colour.size() == 4);
  sycl::float8 mixture(all.lo(), n, sycl::float3(1, 2, 3), all.xy());
  EXPECT(mixture.s2() == 2.5f && mixture.s5() == 3 && mixture.s7() == 1.25f);
  EXPECT((sycl::schar2(3).x() + sycl::longlong3(4).y() + sycl::ulonglong16(5).sF()) == 12);
  EXPECT((sycl::mint4(2) + sycl::mint4(1, 2, 3, 4))[3] == 6 && !sycl::mbool2(true, false)[1]);
  sycl::opencl::cl_uint bits = 3;
  EXPECT(bits == 3 && sizeof(sycl::opencl::cl_long) == 8);
  sycl::vec<std::byte, 2> bytes(std::byte{5}, std::byte{6});
  EXPECT((bytes | std::byte{8})[0] == std::byte{13} && (bytes & bytes)[1] == std::byte{6});

  float memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  sycl::float4 loaded;
  loaded.load(1, memory);
  EXPECT(loaded.w() == 7);
  loaded.lo().load(5, static_cast<const float *>(memory));
  loaded.hi().store(0, memory);
  EXPECT(loaded.x() == 10 && memory[1] == 7);
  auto pointer = sycl::address_space_cast<sycl::access::address_space::private_space,
                                          sycl::access::decorated::yes>(memory);
  loaded.store(2, pointer);
  EXPECT(memory[9] == 11);
  EXPECT((sycl::float2(2.5f, -2.5f).convert<int, sycl::rounding_mode::rtn>()[1] == -3));
  EXPECT((sycl::float2(2.5f, -2.5f).convert<int, sycl::rounding_mode::rte>()[0] == 2));
  return 0;
}

int functions() {
  sycl::float3 c, x(0.5f, 1, 2);
  sycl::float3 s = sycl::sincos(x, &c);
  EXPECT(near(s.z(), sycl::sin(2.0f)) && near(c.x(), sycl::cos(0.5f)));
  sycl::int3 e;
  EXPECT(sycl::frexp(x * 3.0f, &e)[2] == 0.75f && e[0] == 1 && e[2] == 3);
  EXPECT(sycl::modf(x, &c)[0] == 0.5f && c[2] == 2);
  EXPECT(sycl::fract(-x, &c)[0] == 0.5f && c[0] == -1);
  EXPECT(near(sycl::lgamma_r(x, &e)[0], 0.57236494f) && e[0] == 1);
  EXPECT(sycl::remquo(x.zyx(), 0.75f, &e)[0] == -0.25f && e[0] == 3);
  sycl::marray<float, 2> a(0.25f, 3.0f), b;
  sycl::marray<int, 2> n;
  EXPECT(near(sycl::sincos(a, &b)[1], sycl::sin(3.0f)) && near(b[0], sycl::cos(0.25f)));
  EXPECT(sycl::frexp(a, &n)[1] == 0.75f && n[1] == 2 && sycl::modf(a, &b)[0] == 0.25f);
  EXPECT(near(sycl::rootn(sycl::float2(8, 27), 3)[1], 3) &&
         sycl::ilogb(sycl::float2(8, 1))[0] == 3);
  EXPECT(near(sycl::rootn(sycl::float2(4, 27), sycl::int2(2, 3))[0], 2) && sycl::ilogb(a)[1] == 1);
  EXPECT(sycl::all(sycl::isnan(sycl::nan(sycl::uint4(1)))));
  EXPECT(sycl::upsample(sycl::short2(1, -1), sycl::ushort2(2, 3))[0] == 0x10002);
  EXPECT(sycl::clamp(sycl::float4(5), 0, 1)[3] == 1 && sycl::clamp(sycl::int2(-5), 0, 3)[1] == 0);
  EXPECT(sycl::mix(sycl::float2(1), sycl::float2(3), 0.5)[0] == 2 && sycl::pown(2.0f, 3) == 8);
  EXPECT(sycl::min(sycl::uint2(3), 2u)[0] == 2 && sycl::max(1.0f, 2) == 2 &&
         sycl::pow(2.0f, 2) == 4);
  EXPECT(sycl::length(-3.0f) == 3 && sycl::distance(1.0, 4.0) == 3 && sycl::normalize(-2.0f) == -1);
  EXPECT(sycl::dot(2.0f, 3.0f) == 6 && sycl::dot(a, a) == 9.0625f);
  EXPECT(sycl::all(sycl::cross(sycl::float3(1, 0, 0), sycl::float3(0, 1, 0)) ==
                   sycl::float3(0, 0, 1)));
  sycl::float2 five(3, 4);
  EXPECT(near(sycl::fast_length(five), 5, 5e-3f) &&
         near(sycl::fast_distance(five, -five), 10, 1e-2f));
  EXPECT(near(sycl::fast_normalize(five)[1], 0.8f, 1e-3f) && near(sycl::normalize(five)[0], 0.6f));
  EXPECT(sycl::any(-1) && !sycl::all(1) && sycl::any(sycl::int2(0, -1)) &&
         !sycl::all(sycl::int2(0, -1)));
  EXPECT(sycl::any(sycl::mbool2(false, true)) && !sycl::all(sycl::mbool2(false, true)));
  EXPECT(sycl::select(five, -five, sycl::int2(0, -1))[1] == -4);
  EXPECT(sycl::select(a, -a, sycl::mbool2(true, false))[0] == -0.25f &&
         sycl::select(1, 2, true) == 2);
  EXPECT(sycl::bitselect(0x0f, 0x30, 0x33) == 0x3c);
  return 0;
}

template <sycl::rounding_mode Mode, typename To = float, typename From> To converted(From x) {
  return sycl::vec<From, 2>(x).template convert<To, Mode>()[1];
}

int conversions(double n) {
  using sycl::rounding_mode;
  double tenth = n / 25;
  EXPECT(converted<rounding_mode::rtp>(tenth) == 0x1.99999ap-4f);
  EXPECT(converted<rounding_mode::rtn>(tenth) == 0x1.999998p-4f);
  EXPECT(converted<rounding_mode::rtz>(-tenth) == -0x1.999998p-4f);
  EXPECT(converted<rounding_mode::rtn>(-tenth) == -0x1.99999ap-4f);
  EXPECT(converted<rounding_mode::rte>(tenth) == 0x1.99999ap-4f);
  EXPECT(converted<rounding_mode::rtz>(1e300) == std::numeric_limits<float>::max());
  EXPECT(sycl::isinf(converted<rounding_mode::rtp>(1e300)));
  EXPECT(converted<rounding_mode::rtp>(16777217) == 16777218);
  EXPECT(converted<rounding_mode::rtn>(16777219) == 16777218);
  EXPECT(converted<rounding_mode::rtz>(-16777219) == -16777218);
  EXPECT(converted<rounding_mode::rtz>(std::numeric_limits<long>::max()) == 0x1.fffffep62f);
  EXPECT(converted<rounding_mode::rtp>(std::numeric_limits<long>::max()) == 0x1p63f);
  EXPECT(converted<rounding_mode::rtz>(std::numeric_limits<sycl::ulong>::max()) == 0x1.fffffep63f);
  EXPECT(converted<rounding_mode::rtn>(std::numeric_limits<long>::min()) == -0x1p63f);
  EXPECT(converted<rounding_mode::rtz, sycl::half>(70000) == 65504);
  EXPECT(converted<rounding_mode::rtz, sycl::half>(-1e6f) == -65504);
  EXPECT(converted<rounding_mode::rtp, double>(0.5f) == 0.5);
  return 0;
}

int small_floats() {
  bfloat16 x = 1.5f, y(sycl::ext::oneapi::bfloat16(2));
  EXPECT(x + y == 3.5f && x * 2 == 3 && 1 - x == -0.5 && x < y && x && !bfloat16(-0.0f));
  x += y;
  ++x;
  EXPECT(x-- == 4.5f && float(-x) == -3.5f && static_cast<int>(x) == 3);
  sycl::vec<bfloat16, 4> v(bfloat16(0.5f));
  EXPECT((v * v + 1.0f)[2] == 1.25f && v.convert<float>()[1] == 0.5f && (v == v)[0] == -1);
  sycl::marray<bfloat16, 3> m(bfloat16(3));
  EXPECT((m / 2)[2] == 1.5f);
  namespace math = sycl::ext::oneapi::experimental;
  EXPECT(math::fabs(-v)[3] == 0.5f && math::fma(v, v, v)[0] == 0.75f &&
         math::sqrt(v * v)[1] == 0.5f);
  EXPECT(math::fmax(m, m * 2)[1] == 6 && math::isnan(x - x) == false && fmin(x, y) == 2);
  EXPECT(float(std::numeric_limits<bfloat16>::max()) == 0x1.fep127f);
  EXPECT(float(std::numeric_limits<bfloat16>::epsilon()) == 0x1p-7f);
  return 0;
}

int all(double n) {
  if (int line = swizzles())
    return line;
  if (int line = constructions(n))
    return line;
  if (int line = functions())
    return line;
  if (int line = conversions(n))
    return line;
  if (int line = dot_products())
    return line;
  return small_floats();
}

int main() {
  sycl::queue queue;
  int *line = sycl::malloc_shared<int>(1, queue);
  double n = 2.5;
  queue.single_task([=] { *line = all(n); }).wait();
  std::printf("device %d, host %d\n", *line, all(n));
  sycl::free(line, queue);
}
