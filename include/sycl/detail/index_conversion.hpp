// index_conversion: makes a one-dimensional id or item usable as a number.
#pragma once

#include <cstddef>

namespace sycl {
inline namespace _V1 {
namespace detail {

// A base class, because a member template with a condition would convert to size_t exactly and to
// no other number, and C++17 has no other way to leave out a member.
template <typename Derived, int Dimensions> class index_conversion {};

template <typename Derived> class index_conversion<Derived, 1> {
public:
  constexpr operator std::size_t() const { return static_cast<const Derived &>(*this)[0]; }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
