// is_group: whether a type is one of SYCL's groups of work-items.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <int Dimensions> class group;
class sub_group;

template <typename DataT> struct is_group : std::false_type {};
template <int Dimensions> struct is_group<group<Dimensions>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};

template <typename DataT> inline constexpr bool is_group_v = is_group<DataT>::value;

} // namespace _V1
} // namespace sycl
