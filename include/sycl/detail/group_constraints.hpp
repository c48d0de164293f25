// The requirements of group functions on their arguments.
#pragma once

#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/functional.hpp>
#include <sycl/is_group.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/sub_group.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename Group> using if_group_of_items = std::enable_if_t<is_group_v<Group>, int>;
template <typename Group>
using if_sub_group = std::enable_if_t<std::is_same_v<Group, sub_group>, int>;

template <typename DataT>
using if_passed_around = std::enable_if_t<std::is_trivially_copyable_v<DataT>, int>;

template <typename Operation>
using if_function_object = std::enable_if_t<is_function_object<Operation>, int>;

// The iterators that delimit a range of joint algorithms.
template <typename Ptr> inline constexpr bool is_range_pointer = std::is_pointer_v<Ptr>;
template <typename ElementType, access::address_space Space, access::decorated DecorateAddress>
inline constexpr bool is_range_pointer<multi_ptr<ElementType, Space, DecorateAddress>> = true;

template <typename Ptr> using if_range_pointer = std::enable_if_t<is_range_pointer<Ptr>, int>;
template <typename Ptr>
using pointed_t = std::remove_cv_t<std::remove_reference_t<decltype(*Ptr())>>;

} // namespace detail
} // namespace _V1
} // namespace sycl
