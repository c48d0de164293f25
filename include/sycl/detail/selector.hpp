// is_selector: whether a type is a device selector, a callable that returns a score for a device.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

class device;
class device_selector;

namespace detail {

// Its call operator need not be const. Selectors of SYCL 1.2.1 have constructors of their own.
template <typename DataT>
inline constexpr bool is_selector = std::is_invocable_r_v<int, DataT &, const device &> &&
                                    !std::is_base_of_v<device_selector, DataT>;

template <typename DataT> using if_selector = std::enable_if_t<is_selector<DataT>, int>;

} // namespace detail
} // namespace _V1
} // namespace sycl
