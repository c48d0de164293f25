// What the function objects compute, and the values that leave their operands as they are.
#include <complex>
#include <limits>
#include <sycl/sycl.hpp>
#include <type_traits>

using sycl::half;
using sycl::has_known_identity_v;
using sycl::known_identity_v;

static_assert(sycl::plus<int>()(2, 3) == 5);
static_assert(sycl::multiplies<>()(2.0f, 3.0f) == 6.0f);
static_assert(sycl::bit_and<unsigned char>()(6, 3) == 2);
static_assert(sycl::bit_or<>()(6, 3) == 7);
static_assert(sycl::bit_xor<long>()(6, 3) == 5);
static_assert(sycl::logical_and<bool>()(true, false) == false);
static_assert(sycl::logical_or<>()(true, false) == true);
static_assert(sycl::minimum<float>()(2, 1) == 1);
static_assert(sycl::maximum<>()(-2, 1) == 1);
static_assert(sycl::minimum<half>()(half(1), half(2)) == half(1));

// Two small numbers make one of their type, and others what both convert to.
static_assert(std::is_same_v<decltype(sycl::plus<>()(short(1), short(2))), short>);
static_assert(std::is_same_v<decltype(sycl::plus<>()(1, 2.0)), double>);

static_assert(known_identity_v<sycl::plus<int>, int> == 0);
static_assert(known_identity_v<sycl::plus<>, const half> == half(0));
static_assert(known_identity_v<sycl::multiplies<double>, double> == 1);
static_assert(known_identity_v<sycl::plus<>, std::complex<float>> == 0.0f);
static_assert(known_identity_v<std::multiplies<std::complex<double>>, std::complex<double>> == 1.0);
static_assert(!has_known_identity_v<sycl::plus<>, std::complex<int>>);
static_assert(!has_known_identity_v<sycl::maximum<>, std::complex<float>>);
static_assert(known_identity_v<sycl::bit_and<>, unsigned> == 0xffffffffu);
static_assert(known_identity_v<sycl::bit_and<signed char>, signed char> == -1);
static_assert(known_identity_v<sycl::bit_or<long>, long> == 0);
static_assert(known_identity_v<sycl::bit_xor<>, long> == 0);
static_assert(known_identity_v<sycl::logical_and<>, bool>);
static_assert(!known_identity_v<sycl::logical_or<bool>, bool>);
static_assert(known_identity_v<sycl::minimum<>, short> == std::numeric_limits<short>::max());
static_assert(known_identity_v<sycl::maximum<>, short> == std::numeric_limits<short>::lowest());
static_assert(known_identity_v<sycl::minimum<>, float> == std::numeric_limits<float>::infinity());
static_assert(known_identity_v<sycl::maximum<>, double> ==
              -std::numeric_limits<double>::infinity());
static_assert(known_identity_v<sycl::multiplies<>, sycl::vec<float, 3>>[2] == 1);
static_assert(known_identity_v<sycl::maximum<>, sycl::marray<int, 2>>[1] ==
              std::numeric_limits<int>::lowest());

struct other {
  int number;
};
static_assert(!has_known_identity_v<sycl::plus<>, other>);
static_assert(!has_known_identity_v<sycl::plus<float>, int>);
static_assert(!has_known_identity_v<sycl::bit_or<>, float>);
static_assert(!has_known_identity_v<sycl::bit_or<>, sycl::vec<float, 2>>);
static_assert(!has_known_identity_v<sycl::logical_and<>, int>);
