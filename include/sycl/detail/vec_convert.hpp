// rounding_mode, and the conversion of one number by it.
#pragma once

#include <sycl/builtins/math_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

enum class rounding_mode { automatic = 0, rte = 1, rtz = 2, rtp = 3, rtn = 4 };

namespace detail {

// `automatic` is the conversion of C++: towards zero to an integer, to the nearest floating-point
// number.
template <typename To, rounding_mode Mode, typename From> constexpr To convert_number(From x) {
  if constexpr (is_floating<From> && !is_floating<To>) {
    if constexpr (Mode == rounding_mode::rte)
      return static_cast<To>(sycl::rint(x));
    else if constexpr (Mode == rounding_mode::rtp)
      return static_cast<To>(sycl::ceil(x));
    else if constexpr (Mode == rounding_mode::rtn)
      return static_cast<To>(sycl::floor(x));
    else
      return static_cast<To>(x);
  } else {
    static_assert(Mode == rounding_mode::automatic || Mode == rounding_mode::rte ||
                      !is_floating<To>,
                  "conversion to a floating-point number rounds to the nearest");
    return static_cast<To>(x);
  }
}

} // namespace detail
} // namespace _V1
} // namespace sycl
