// sycl::bit_cast: the bytes of an object as an object of another type of the same size.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename To, typename From> constexpr To bit_cast(const From &from) noexcept {
  static_assert(sizeof(To) == sizeof(From), "sycl::bit_cast converts between types of one size");
  static_assert(std::is_trivially_copyable_v<From> && std::is_trivially_copyable_v<To>,
                "sycl::bit_cast converts between trivially copyable types");
  return __builtin_bit_cast(To, from);
}

} // namespace _V1
} // namespace sycl
