// words: a value of any device copyable type as integers that devices can exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sycl/detail/vec_traits.hpp>
#include <sycl/is_device_copyable.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> struct words {
  static_assert(is_device_copyable_v<DataT>, "only bytes can be passed to work-items");

  // The largest integer whose size divides that of the value. Otherwise, the optimizer would create
  // integers of unusual widths, which not every back-end supports.
  static constexpr std::size_t width = sizeof(DataT) % 8 == 0   ? 8
                                       : sizeof(DataT) % 4 == 0 ? 4
                                       : sizeof(DataT) % 2 == 0 ? 2
                                                                : 1;
  using word = std::make_unsigned_t<typename signed_integer<width>::type>;
  static constexpr std::size_t count = sizeof(DataT) / width;

  // Devices exchange at least four bytes.
  using passed = std::conditional_t<width == 8, std::uint64_t, std::uint32_t>;

  explicit words(const DataT &value) { __builtin_memcpy(data, &value, sizeof(DataT)); }

  // Into a copy of a value, since the type may have no default constructor.
  DataT replacing(DataT value) const {
    __builtin_memcpy(&value, data, sizeof(DataT));
    return value;
  }

  word data[count];
};

} // namespace detail
} // namespace _V1
} // namespace sycl
