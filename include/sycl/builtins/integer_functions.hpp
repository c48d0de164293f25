// SYCL's functions on integers. Written in C++: LLVM recognises them and each back-end has its own
// instructions for them.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {
template <typename T>
using if_integer = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, int>;
}

template <typename T, detail::if_integer<T> = 0> constexpr T min(T x, T y) { return y < x ? y : x; }

template <typename T, detail::if_integer<T> = 0> constexpr T max(T x, T y) { return x < y ? y : x; }

template <typename T, detail::if_integer<T> = 0> constexpr T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

// The smallest number stays what it is, where -x would be undefined: negation wraps around in the
// unsigned type.
template <typename T, detail::if_integer<T> = 0> constexpr T abs(T x) {
  using U = std::make_unsigned_t<T>;
  return x < T(0) ? static_cast<T>(U(0) - static_cast<U>(x)) : x;
}

} // namespace _V1
} // namespace sycl
