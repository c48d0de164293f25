// group_local_memory: an object in memory that a work-group shares, declared inside the kernel.
#pragma once

#include <new>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/detail/local_memory.hpp>
#include <sycl/group_barrier.hpp>
#include <sycl/is_group.hpp>
#include <sycl/multi_ptr.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {
namespace detail {

// Nothing destroys the object when the work-group ends, so it must not need that.
template <typename DataT, typename Group>
using group_local_ptr = std::enable_if_t<
    std::is_trivially_destructible_v<DataT> && is_group_v<Group>,
    multi_ptr<DataT, access::address_space::local_space, access::decorated::legacy>>;

} // namespace detail

// The object is left uninitialized unless its type has a default constructor that does something.
template <typename DataT, typename Group>
[[gnu::always_inline]] inline detail::group_local_ptr<DataT, Group>
group_local_memory_for_overwrite(Group work_group) {
  auto address = sycl::detail::allocate_local<DataT>();
  if constexpr (!std::is_trivially_default_constructible_v<DataT>) {
    if (work_group.leader())
      new (address) DataT;
    group_barrier(work_group);
  }
  return detail::group_local_ptr<DataT, Group>(address);
}

// One work-item makes the object from the arguments; all see it once the function returns.
template <typename DataT, typename Group, typename... Args>
[[gnu::always_inline]] inline detail::group_local_ptr<DataT, Group>
group_local_memory(Group work_group, Args &&...args) {
  auto address = sycl::detail::allocate_local<DataT>();
  if (work_group.leader())
    new (address) DataT{static_cast<Args &&>(args)...}; // std::forward, without <utility>
  group_barrier(work_group);
  return detail::group_local_ptr<DataT, Group>(address);
}

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
