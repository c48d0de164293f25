// is_selector: whether a type is a device selector, a callable that returns a score for a device.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

class device;

namespace detail {

// Its call operator need not be const.
template <typename DataT>
inline constexpr bool is_selector = std::is_invocable_r_v<int, DataT &, const device &>;

template <typename DataT> using if_selector = std::enable_if_t<is_selector<DataT>, int>;

} // namespace detail
} // namespace _V1
} // namespace sycl
