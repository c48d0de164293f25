// group_barrier: waits for all work-items of a group and makes their writes visible to each other.
#pragma once

#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/is_group.hpp>
#include <sycl/memory_scope.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

template <typename Group, std::enable_if_t<is_group_v<Group>, int> = 0>
void group_barrier(Group, memory_scope fence_scope = Group::fence_scope) {
  detail::barrier(Group::fence_scope, fence_scope, access::fence_space::global_and_local);
}

} // namespace _V1
} // namespace sycl
