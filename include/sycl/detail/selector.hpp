// is_selector: whether a type is a device selector, a callable that gives each device a score.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

class device;

namespace detail {

template <typename T>
inline constexpr bool is_selector = std::is_invocable_r_v<int, const T &, const device &>;

template <typename T> using if_selector = std::enable_if_t<is_selector<T>, int>;

} // namespace detail
} // namespace _V1
} // namespace sycl
