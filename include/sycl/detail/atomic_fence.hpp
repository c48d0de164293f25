// atomic_fence: orders the accesses before and after it.
#pragma once

#include <sycl/detail/atomic_operations.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>

namespace sycl {
inline namespace _V1 {

inline void atomic_fence(memory_order order, memory_scope scope) {
  detail::atomic::fence(order, scope);
}

} // namespace _V1
} // namespace sycl
