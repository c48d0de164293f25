// SYCL_EXT_ONEAPI_FUNCTION_PROPERTY: gives a function a compile-time property.
#pragma once

#include <sycl/ext/oneapi/properties/property_meta_info.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The macro's argument is the property as an expression in parentheses, of const reference type.
template <typename Property>
using function_property = PropertyMetaInfo<std::remove_cv_t<std::remove_reference_t<Property>>>;

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

#ifdef __SYCL_DEVICE_ONLY__
// For any property: the front-end passes on names and values, which passes interpret.
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(PROPERTY)                                                \
  [[__sycl_detail__::__add_ir_attributes_function__(                                               \
      ::sycl::ext::oneapi::experimental::detail::function_property<decltype(PROPERTY)>::name,      \
      ::sycl::ext::oneapi::experimental::detail::function_property<decltype(PROPERTY)>::value)]]
#else
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(PROPERTY)
#endif
