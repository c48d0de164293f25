// SYCL_EXT_ONEAPI_FUNCTION_PROPERTY: gives a function a compile-time property.
#pragma once

#include <sycl/ext/oneapi/properties/property_meta_info.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The macro gets the property as an expression in parentheses, whose type is a const reference.
template <typename Property>
using function_property = PropertyMetaInfo<std::remove_cv_t<std::remove_reference_t<Property>>>;

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

#ifdef __SYCL_DEVICE_ONLY__
// Knows no property: the front-end hands name and value on, and passes give them meaning.
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(PROPERTY)                                                \
  [[__sycl_detail__::__add_ir_attributes_function__(                                               \
      ::sycl::ext::oneapi::experimental::detail::function_property<decltype(PROPERTY)>::name,      \
      ::sycl::ext::oneapi::experimental::detail::function_property<decltype(PROPERTY)>::value)]]
#else
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(PROPERTY)
#endif
