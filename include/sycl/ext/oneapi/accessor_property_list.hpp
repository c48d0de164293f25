// accessor_property_list: properties of an accessor under today's name for them.
//
//   accessor a(b, h, write_only, accessor_property_list{no_alias, no_init});
#pragma once

#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/property_list.hpp>
#include <sycl/property/no_init.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {

template <typename... Properties>
class accessor_property_list : public experimental::detail::properties_t<Properties...> {
  using base = experimental::detail::properties_t<Properties...>;

public:
  using base::base;
  constexpr accessor_property_list() = default;
};

template <typename... Given>
accessor_property_list(Given...)
    -> accessor_property_list<typename detail::sorted_at_place_of<Given, Given...>::type...>;

template <typename... Properties>
struct experimental::is_property_list<accessor_property_list<Properties...>> : std::true_type {};

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
