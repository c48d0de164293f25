// nd_range_kernel<Dimensions>: the property of a free function that is launched over an nd_range.
#pragma once

#include <sycl/ext/oneapi/properties/property_meta_info.hpp>
#include <sycl/ext/oneapi/properties/property_value.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

struct nd_range_kernel_key {
  template <int Dimensions>
  using value_t = property_value<nd_range_kernel_key, std::integral_constant<int, Dimensions>>;
};

template <int Dimensions> inline constexpr nd_range_kernel_key::value_t<Dimensions> nd_range_kernel;

namespace detail {

template <int Dimensions> struct PropertyMetaInfo<nd_range_kernel_key::value_t<Dimensions>> {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "SYCL has one to three dimensions");
  static constexpr const char *name = "sycl-nd-range-kernel";
  static constexpr int value = Dimensions;
};

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
