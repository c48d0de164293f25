// is_property: whether a type is a property, which a property_list can contain.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename DataT> struct is_property : std::false_type {};
template <typename DataT> inline constexpr bool is_property_v = is_property<DataT>::value;

} // namespace _V1
} // namespace sycl
