// SYCL's functions on integers. Written in C++: LLVM recognizes them and each back-end has its own
// instructions for them.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace detail {

template <typename DataT>
using if_integer = std::enable_if_t<std::is_integral_v<DataT> && !std::is_same_v<DataT, bool>, int>;
template <typename DataT>
using if_integer_of_32_bits =
    std::enable_if_t<std::is_integral_v<DataT> && sizeof(DataT) == 4 &&
                         !std::is_same_v<DataT, char32_t> && !std::is_same_v<DataT, wchar_t>,
                     int>;

template <typename DataT> inline constexpr int bits_of = sizeof(DataT) * 8;

// The integer of twice the size and the same sign, for upsample.
template <typename DataT> struct wider_integer;
template <> struct wider_integer<std::int8_t> {
  using type = std::int16_t;
};
template <> struct wider_integer<std::int16_t> {
  using type = std::int32_t;
};
template <> struct wider_integer<std::int32_t> {
  using type = std::int64_t;
};
template <> struct wider_integer<std::uint8_t> {
  using type = std::uint16_t;
};
template <> struct wider_integer<std::uint16_t> {
  using type = std::uint32_t;
};
template <> struct wider_integer<std::uint32_t> {
  using type = std::uint64_t;
};

} // namespace detail

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

template <typename DataT, detail::if_integer<DataT> = 0>
constexpr DataT abs_diff(DataT x, DataT y) {
  using OtherT = std::make_unsigned_t<DataT>;
  return static_cast<DataT>(x < y ? static_cast<OtherT>(y) - static_cast<OtherT>(x)
                                  : static_cast<OtherT>(x) - static_cast<OtherT>(y));
}

template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT add_sat(DataT x, DataT y) {
  DataT sum{};
  if (!__builtin_add_overflow(x, y, &sum))
    return sum;
  return y < DataT(0) ? std::numeric_limits<DataT>::min() : std::numeric_limits<DataT>::max();
}

template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT sub_sat(DataT x, DataT y) {
  DataT difference{};
  if (!__builtin_sub_overflow(x, y, &difference))
    return difference;
  return std::is_unsigned_v<DataT> || DataT(0) < y ? std::numeric_limits<DataT>::min()
                                                   : std::numeric_limits<DataT>::max();
}

// The mean, rounded down and up, without the carry that the sum would lose.
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT hadd(DataT x, DataT y) {
  return static_cast<DataT>((x >> 1) + (y >> 1) + (x & y & 1));
}
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT rhadd(DataT x, DataT y) {
  return static_cast<DataT>((x >> 1) + (y >> 1) + ((x | y) & 1));
}

template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT popcount(DataT x) {
  return static_cast<DataT>(
      __builtin_popcountll(static_cast<unsigned long long>(std::make_unsigned_t<DataT>(x))));
}

// Of zero, both count all bits.
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT clz(DataT x) {
  auto value = static_cast<unsigned long long>(std::make_unsigned_t<DataT>(x));
  return static_cast<DataT>(x == DataT(0) ? detail::bits_of<DataT>
                                          : __builtin_clzll(value) - (64 - detail::bits_of<DataT>));
}
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT ctz(DataT x) {
  auto value = static_cast<unsigned long long>(std::make_unsigned_t<DataT>(x));
  return static_cast<DataT>(x == DataT(0) ? detail::bits_of<DataT> : __builtin_ctzll(value));
}

// To the left, by the count modulo the number of bits.
template <typename DataT, detail::if_integer<DataT> = 0>
constexpr DataT rotate(DataT x, DataT count) {
  using OtherT = std::make_unsigned_t<DataT>;
  constexpr OtherT mask = detail::bits_of<DataT> - 1;
  auto value = static_cast<OtherT>(x);
  auto left = static_cast<OtherT>(static_cast<OtherT>(count) & mask);
  auto right = static_cast<OtherT>((detail::bits_of<DataT> - left) & mask);
  return static_cast<DataT>(static_cast<OtherT>(value << left) |
                            static_cast<OtherT>(value >> right));
}

// The upper half of the product.
template <typename DataT, detail::if_integer<DataT> = 0> constexpr DataT mul_hi(DataT x, DataT y) {
  if constexpr (sizeof(DataT) < 8) {
    using WideT = std::conditional_t<std::is_signed_v<DataT>, std::int64_t, std::uint64_t>;
    return static_cast<DataT>((static_cast<WideT>(x) * static_cast<WideT>(y)) >>
                              detail::bits_of<DataT>);
  } else {
    // By halves: devices have no integers of 128 bits.
    constexpr std::uint64_t low = 0xffffffff;
    auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
    std::uint64_t middle = (a >> 32) * (b & low) + (((a & low) * (b & low)) >> 32);
    std::uint64_t other = (a & low) * (b >> 32) + (middle & low);
    std::uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    if constexpr (std::is_signed_v<DataT>)
      high -= (x < 0 ? b : 0) + (y < 0 ? a : 0);
    return static_cast<DataT>(high);
  }
}

template <typename DataT, detail::if_integer<DataT> = 0>
constexpr DataT mad_hi(DataT x, DataT y, DataT z) {
  using OtherT = std::make_unsigned_t<DataT>;
  return static_cast<DataT>(static_cast<OtherT>(mul_hi(x, y)) + static_cast<OtherT>(z));
}

template <typename DataT, detail::if_integer<DataT> = 0>
constexpr DataT mad_sat(DataT x, DataT y, DataT z) {
  if constexpr (sizeof(DataT) < 8) {
    using WideT = std::conditional_t<std::is_signed_v<DataT>, std::int64_t, std::uint64_t>;
    WideT exact = static_cast<WideT>(x) * static_cast<WideT>(y) + static_cast<WideT>(z);
    return static_cast<DataT>(clamp(exact, WideT(std::numeric_limits<DataT>::min()),
                                    WideT(std::numeric_limits<DataT>::max())));
  } else {
    // The exact result in two halves of 64 bits.
    std::uint64_t low = static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y);
    DataT high = mul_hi(x, y);
    std::uint64_t sum = low + static_cast<std::uint64_t>(z);
    high += static_cast<DataT>(sum < low ? 1 : 0);
    if constexpr (std::is_signed_v<DataT>) {
      high += z < 0 ? -1 : 0;
      auto result = static_cast<DataT>(sum);
      if (high == (result < 0 ? -1 : 0))
        return result;
      return high < 0 ? std::numeric_limits<DataT>::min() : std::numeric_limits<DataT>::max();
    } else {
      return high == 0 ? sum : std::numeric_limits<DataT>::max();
    }
  }
}

// Of numbers of at most 24 bits, which the product of all bits is right for as well.
template <typename DataT, detail::if_integer_of_32_bits<DataT> = 0>
constexpr DataT mul24(DataT x, DataT y) {
  using OtherT = std::make_unsigned_t<DataT>;
  return static_cast<DataT>(static_cast<OtherT>(x) * static_cast<OtherT>(y));
}
template <typename DataT, detail::if_integer_of_32_bits<DataT> = 0>
constexpr DataT mad24(DataT x, DataT y, DataT z) {
  using OtherT = std::make_unsigned_t<DataT>;
  return static_cast<DataT>(static_cast<OtherT>(mul24(x, y)) + static_cast<OtherT>(z));
}

template <typename DataT, detail::if_integer<DataT> = 0>
constexpr typename detail::wider_integer<DataT>::type upsample(DataT high,
                                                               std::make_unsigned_t<DataT> low) {
  using ResultT = typename detail::wider_integer<DataT>::type;
  using OtherT = std::make_unsigned_t<ResultT>;
  return static_cast<ResultT>(
      static_cast<OtherT>(static_cast<OtherT>(high) << detail::bits_of<DataT>) | low);
}

} // namespace _V1
} // namespace sycl
