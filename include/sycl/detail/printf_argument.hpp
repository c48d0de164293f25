// printf_argument: what printf passes for an argument. Few types are left, since each combination
// is a function on devices: numbers of 4 and 8 bytes and pointers.
#pragma once

#include <sycl/half.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> auto printf_argument(DataT value) {
  static_assert(std::is_arithmetic_v<DataT> || std::is_enum_v<DataT> || std::is_pointer_v<DataT> ||
                    std::is_null_pointer_v<DataT> || std::is_same_v<DataT, half>,
                "printf outputs numbers, characters, texts and pointers");
  if constexpr (std::is_same_v<DataT, half>)
    return static_cast<float>(value);
  else if constexpr (std::is_pointer_v<DataT> || std::is_null_pointer_v<DataT>)
    return (const void *)value;
  else if constexpr (std::is_floating_point_v<DataT>)
    return value;
  else if constexpr (sizeof(DataT) == 8)
    return static_cast<long>(value);
  else
    return static_cast<int>(value);
}

} // namespace detail
} // namespace _V1
} // namespace sycl
