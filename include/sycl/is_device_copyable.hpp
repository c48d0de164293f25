// is_device_copyable: whether a kernel may hold an object of a type, which goes there as bytes.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

// Programs may add types of theirs.
template <typename T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <typename T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

} // namespace _V1
} // namespace sycl
