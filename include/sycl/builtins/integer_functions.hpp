// SYCL's functions on integers. Written in C++: LLVM recognises them and each back-end has its own
// instructions for them.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {
template <typename DataT>
using if_integer = std::enable_if_t<std::is_integral_v<DataT> && !std::is_same_v<DataT, bool>, int>;
}

template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT min(DataT x, DataT y) {
  return y < x ? y : x;
}

template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT max(DataT x, DataT y) {
  return x < y ? y : x;
}

template <typename DataT, detail::if_integer<DataT> = 0>
constexpr DataT clamp(DataT x, DataT low, DataT high) {
  return min(max(x, low), high);
}

// The smallest number stays what it is, where -x would be undefined: negation wraps around in the
// unsigned type.
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT abs(DataT x) {
  using OtherT = std::make_unsigned_t<DataT>;
  return x < DataT(0) ? static_cast<DataT>(OtherT(0) - static_cast<OtherT>(x)) : x;
}

} // namespace _V1
} // namespace sycl
