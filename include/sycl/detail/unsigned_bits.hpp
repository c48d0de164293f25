// The unsigned integer that has as many bits as a type.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <std::size_t Size> struct unsigned_integer;
template <> struct unsigned_integer<1> {
  using type = std::uint8_t;
};
template <> struct unsigned_integer<2> {
  using type = std::uint16_t;
};
template <> struct unsigned_integer<4> {
  using type = std::uint32_t;
};
template <> struct unsigned_integer<8> {
  using type = std::uint64_t;
};
template <typename DataT> using unsigned_bits_t = typename unsigned_integer<sizeof(DataT)>::type;

} // namespace detail
} // namespace _V1
} // namespace sycl
