// dot_acc: the dot product of two vectors of four bytes, added to a number.
#pragma once

#include <cstdint>
#include <sycl/bit_cast.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/vec.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

// The packed forms have the elements in the bytes of an integer, the first in the lowest byte.
#define DOVETAIL_DOT_PRODUCT(FIRST, SECOND)                                                        \
  inline std::int32_t dot_acc(vec<FIRST##8_t, 4> x, vec<SECOND##8_t, 4> y, std::int32_t sum) {     \
    for (int i = 0; i < 4; ++i)                                                                    \
      sum += x[i] * y[i];                                                                          \
    return sum;                                                                                    \
  }                                                                                                \
  inline std::int32_t dot_acc_4x8packed(FIRST##32_t x, SECOND##32_t y, std::int32_t sum) {         \
    return dot_acc(sycl::bit_cast<vec<FIRST##8_t, 4>>(x), sycl::bit_cast<vec<SECOND##8_t, 4>>(y),  \
                   sum);                                                                           \
  }                                                                                                \
  DOVETAIL_DEPRECATED("use dot_acc_4x8packed")                                                     \
  inline std::int32_t dot_acc(FIRST##32_t x, SECOND##32_t y, std::int32_t sum) {                   \
    return dot_acc_4x8packed(x, y, sum);                                                           \
  }

DOVETAIL_DOT_PRODUCT(std::int, std::int)
DOVETAIL_DOT_PRODUCT(std::int, std::uint)
DOVETAIL_DOT_PRODUCT(std::uint, std::int)
DOVETAIL_DOT_PRODUCT(std::uint, std::uint)
#undef DOVETAIL_DOT_PRODUCT

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
