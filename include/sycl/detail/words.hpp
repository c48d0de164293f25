// words: a value of any trivially copyable type in pieces that the device can pass around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> struct words {
  static_assert(std::is_trivially_copyable_v<DataT>, "only bytes can be passed to work-items");

  // Shuffles of four bytes are cheaper than of eight.
  using word =
      std::conditional_t<sizeof(DataT) <= sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  static constexpr std::size_t count = (sizeof(DataT) + sizeof(word) - 1) / sizeof(word);

  explicit words(const DataT &value) { __builtin_memcpy(data, &value, sizeof(DataT)); }

  // Into a copy of a value, since the type may have no default constructor.
  DataT replacing(DataT value) const {
    __builtin_memcpy(&value, data, sizeof(DataT));
    return value;
  }

  word data[count] = {};
};

} // namespace detail
} // namespace _V1
} // namespace sycl
