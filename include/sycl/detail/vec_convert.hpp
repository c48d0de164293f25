// rounding_mode, and the conversion of one number by it.
#pragma once

#include <limits>
#include <sycl/builtins/derived_functions.hpp>
#include <sycl/builtins/math_functions.hpp>
#include <sycl/builtins/relational_functions.hpp>
#include <sycl/detail/vec_traits.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

enum class rounding_mode { automatic = 0, rte = 1, rtz = 2, rtp = 3, rtn = 4 };

namespace detail {

// Whether a rounded number is above (1) or below (-1) the exact one.
template <typename To, typename From> int side_of(To rounded, From exact) {
  if constexpr (is_floating<From>) {
    using wide = std::conditional_t<(sizeof(From) > sizeof(To)), From, To>;
    auto left = static_cast<wide>(rounded), right = static_cast<wide>(exact);
    return left > right ? 1 : left < right ? -1 : 0;
  } else {
    // The next power of two, and infinity, are no integers of the type.
    auto limit = static_cast<To>(std::numeric_limits<From>::max() / 2 + 1) * static_cast<To>(2);
    if (rounded >= limit || sycl::isinf(rounded))
      return rounded > static_cast<To>(0) ? 1 : -1;
    auto back = static_cast<From>(rounded);
    return back > exact ? 1 : back < exact ? -1 : 0;
  }
}

// To a floating-point number in a direction: the nearest one, or the one beside it.
template <typename To, rounding_mode Mode, typename From> To round_number(From exact) {
  static_assert(is_math_type<To>, "bfloat16 is rounded to the nearest number");
  auto nearest = static_cast<To>(exact);
  int side = side_of(nearest, exact);
  bool is_positive = exact > From(0);
  if (side > 0 && (Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && is_positive)))
    return sycl::nextafter(nearest, -std::numeric_limits<To>::infinity());
  if (side < 0 && (Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && !is_positive)))
    return sycl::nextafter(nearest, std::numeric_limits<To>::infinity());
  return nearest;
}

// `automatic` is the conversion of C++: towards zero to an integer, to the nearest floating-point
// number.
template <typename To, rounding_mode Mode, typename From> constexpr To convert_number(From x) {
  if constexpr (is_floating<From> && !is_math_type<From> && !is_floating<To>) { // bfloat16
    return convert_number<To, Mode>(static_cast<float>(x));
  } else if constexpr (is_floating<From> && !is_floating<To>) {
    if constexpr (Mode == rounding_mode::rte)
      return static_cast<To>(sycl::rint(x));
    else if constexpr (Mode == rounding_mode::rtp)
      return static_cast<To>(sycl::ceil(x));
    else if constexpr (Mode == rounding_mode::rtn)
      return static_cast<To>(sycl::floor(x));
    else
      return static_cast<To>(x);
  } else if constexpr (is_floating<To> && Mode != rounding_mode::automatic &&
                       Mode != rounding_mode::rte) {
    return round_number<To, Mode>(x);
  } else {
    return static_cast<To>(x);
  }
}

} // namespace detail
} // namespace _V1
} // namespace sycl
