// Copies that all work-items of a group make together, and waiting for them.
#pragma once

#include <cstddef>
#include <sycl/access/address_space.hpp>
#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/multi_ptr.hpp>
#include <type_traits>

#ifdef __SYCL_DEVICE_ONLY__
#define DOVETAIL_COLLECTIVE                                                                        \
  [[__sycl_detail__::__add_ir_attributes_function__("dovetail-collective", true)]]
#else
#define DOVETAIL_COLLECTIVE
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

// In a hierarchical kernel, all work-items call these at work-group scope. The dimensions that a
// kernel lacks have size 1.
template <typename To, typename From>
DOVETAIL_COLLECTIVE void copy_as_group(To to, std::size_t to_stride, From from,
                                       std::size_t from_stride, std::size_t count) {
  range<3> sizes = work_item::local_range<3>();
  for (std::size_t i = linear_id(work_item::local_id<3>(), sizes); i < count; i += sizes.size())
    to[i * to_stride] = from[i * from_stride];
}

DOVETAIL_COLLECTIVE inline void wait_as_group() {
  barrier(memory_scope::work_group, memory_scope::work_group,
          access::fence_space::global_and_local);
}

inline constexpr access::address_space in_global = access::address_space::global_space;
inline constexpr access::address_space in_local = access::address_space::local_space;

// Between local and global memory, in which elements are `stride` apart.
template <typename DataT, access::address_space ToSpace, access::decorated ToDecorated,
          typename SourceT, access::address_space FromSpace, access::decorated FromDecorated>
void copy_as_group(multi_ptr<DataT, ToSpace, ToDecorated> to,
                   multi_ptr<SourceT, FromSpace, FromDecorated> from, std::size_t count,
                   std::size_t stride) {
  static_assert((ToSpace == in_local && FromSpace == in_global) ||
                    (ToSpace == in_global && FromSpace == in_local),
                "async_work_group_copy is between local and global memory");
  static_assert(std::is_same_v<std::remove_const_t<SourceT>, DataT>,
                "async_work_group_copy is between elements of the same type");
  copy_as_group(to.get_decorated(), ToSpace == in_global ? stride : 1, from.get_decorated(),
                FromSpace == in_global ? stride : 1, count);
}

} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_COLLECTIVE
