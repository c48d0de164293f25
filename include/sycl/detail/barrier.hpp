// barrier: waits for the work-items of a scope and orders their memory accesses.
#pragma once

#include <sycl/access/fence_space.hpp>
#include <sycl/memory_scope.hpp>

#ifdef __SYCL_DEVICE_ONLY__
#include <cstdint>
#include <sycl/detail/spirv/barrier.hpp>
#else
#include <sycl/detail/device_only.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
// SPIR-V counts scopes from the widest (cross device, 0) to the narrowest (invocation, 4).
constexpr std::int32_t spirv_scope(memory_scope scope) { return 4 - static_cast<int>(scope); }

constexpr std::int32_t spirv_semantics(access::fence_space space) {
  std::int32_t semantics = spirv::acquire_release;
  if (space != access::fence_space::global_space)
    semantics |= spirv::workgroup_memory;
  if (space != access::fence_space::local_space)
    semantics |= spirv::cross_workgroup_memory;
  return semantics;
}
#endif

inline void barrier([[maybe_unused]] memory_scope execution, [[maybe_unused]] memory_scope memory,
                    [[maybe_unused]] access::fence_space space) {
#ifdef __SYCL_DEVICE_ONLY__
  ::__spirv_ControlBarrier(spirv_scope(execution), spirv_scope(memory), spirv_semantics(space));
#else
  device_only();
#endif
}

} // namespace detail
} // namespace _V1
} // namespace sycl
