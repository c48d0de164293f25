// this_work_item: the running work-item and its groups, anywhere in device code.
#pragma once

#include <sycl/group.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/sub_group.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::this_work_item {

template <int Dimensions> nd_item<Dimensions> get_nd_item() {
  return sycl::detail::nd_item_access::make<Dimensions>();
}

template <int Dimensions> group<Dimensions> get_work_group() {
  return sycl::detail::group_access::make<Dimensions>();
}

inline sub_group get_sub_group() { return sycl::detail::sub_group_access::make(); }

} // namespace ext::oneapi::this_work_item
} // namespace _V1
} // namespace sycl
