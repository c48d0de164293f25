// property_list: the property list of the extension's first revision, whose type lists properties.
//
//   template <typename... Props> class uses<property_list<Props...>> { ... Props::meta_name ... };
#pragma once

#include <sycl/ext/oneapi/properties/properties.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

template <typename... Properties>
class property_list : public experimental::detail::properties_t<Properties...> {
  using base = experimental::detail::properties_t<Properties...>;

public:
  using base::base;
  constexpr property_list() = default;
};

namespace detail {

template <typename List> struct as_property_list;
template <typename... Properties>
struct as_property_list<experimental::detail::properties_type_list<Properties...>> {
  using type = property_list<Properties...>;
};

// The member of a sorted list that represents a given property.
template <typename Property, typename... Properties> struct sorted_at_place_of {
  template <typename... Sorted>
  static auto at(experimental::detail::properties_type_list<Sorted...>)
      -> __type_pack_element<experimental::detail::place_of<Property, Properties...>(), Sorted...>;
  using type = decltype(at(experimental::detail::sorted_properties<Properties...>()));
};

} // namespace detail

// The same type for a set of properties in any order.
template <typename... Properties>
using property_list_t =
    typename detail::as_property_list<experimental::detail::sorted_properties<Properties...>>::type;

template <typename... Given>
property_list(Given...)
    -> property_list<typename detail::sorted_at_place_of<Given, Given...>::type...>;

template <typename... Properties>
struct experimental::is_property_list<property_list<Properties...>> : std::true_type {};

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
