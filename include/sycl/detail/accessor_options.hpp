// accessor_options: the properties of an accessor.
#pragma once

#include <sycl/detail/property_lists.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/is_property.hpp>
#include <sycl/property/no_init.hpp>
#include <sycl/property_list.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {

// The compile-time properties of a list, which the type of an accessor has.
template <typename List>
using accessor_properties = ext::oneapi::experimental::properties<
    typename ext::oneapi::experimental::detail::compile_time_part<List>::type>;

// Of a list of properties, those known at compile time have to be the ones of the accessor's type.
template <typename Properties> struct accessor_options {
  accessor_options() = default;
  accessor_options(const property_list &given) : no_init(given.has_property<property::no_init>()) {}
  template <typename... Given, std::enable_if_t<(is_property_v<Given> && ...), int> = 0>
  accessor_options(const Given &...) : no_init((std::is_same_v<Given, property::no_init> || ...)) {}
  template <typename List,
            std::enable_if_t<std::is_same_v<accessor_properties<List>, Properties>, int> = 0>
  accessor_options(const ext::oneapi::experimental::properties<List> &given)
      : no_init(given.template has_property<property::no_init>()) {}

  bool no_init = false;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
