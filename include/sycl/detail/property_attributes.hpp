// The attributes that pass compile-time properties to the toolchain: all names, then all values.
// The front-end passes them on without interpreting them. The host compiler does not know the
// attributes.
#pragma once

#include <sycl/ext/oneapi/properties/property_meta_info.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_NAMES_AND_VALUES(PROPERTIES)                                                      \
  ::sycl::ext::oneapi::experimental::detail::PropertyMetaInfo<PROPERTIES>::name...,                \
      ::sycl::ext::oneapi::experimental::detail::PropertyMetaInfo<PROPERTIES>::value...
#define DOVETAIL_FUNCTION_PROPERTIES(PROPERTIES)                                                   \
  [[__sycl_detail__::add_ir_attributes_function(DOVETAIL_NAMES_AND_VALUES(PROPERTIES))]]
#define DOVETAIL_KERNEL_PARAMETER_PROPERTIES(PROPERTIES)                                           \
  [[__sycl_detail__::add_ir_attributes_kernel_parameter(DOVETAIL_NAMES_AND_VALUES(PROPERTIES))]]
// A device_global of some bytes; where its value is not in the variable itself, it lies as far from
// the next element's as `device_global_storage` is long.
#define DOVETAIL_DEVICE_GLOBAL(DATA, PROPERTIES)                                                   \
  [[__sycl_detail__::add_ir_attributes_global_variable(                                            \
      "sycl-device-global-size", "dovetail-device-global-stride",                                  \
      ::sycl::ext::oneapi::experimental::detail::PropertyMetaInfo<PROPERTIES>::name...,            \
      sizeof(DATA), sizeof(detail::device_global_storage<DATA, PROPERTIES...>),                    \
      ::sycl::ext::oneapi::experimental::detail::PropertyMetaInfo<PROPERTIES>::value...)]]
#define DOVETAIL_MEMBER_PROPERTIES(PROPERTIES)                                                     \
  [[__sycl_detail__::add_ir_annotations_member(DOVETAIL_NAMES_AND_VALUES(PROPERTIES))]]
#else
#define DOVETAIL_FUNCTION_PROPERTIES(PROPERTIES)
#define DOVETAIL_KERNEL_PARAMETER_PROPERTIES(PROPERTIES)
#define DOVETAIL_DEVICE_GLOBAL(DATA, PROPERTIES)
#define DOVETAIL_MEMBER_PROPERTIES(PROPERTIES)
#endif
