// run_group: the body of a hierarchical kernel, which one work-item of each work-group runs.
#pragma once

#include <sycl/access/fence_space.hpp>
#include <sycl/detail/barrier.hpp>
#include <sycl/group.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/memory_scope.hpp>
#include <type_traits>

#ifdef __SYCL_DEVICE_ONLY__
// The pass that lowers work-group scope calls it between the code of the leader and that of all.
extern "C" inline void __dovetail_groupBarrier() {
  sycl::detail::barrier(sycl::memory_scope::work_group, sycl::memory_scope::work_group,
                        sycl::access::fence_space::global_and_local);
}
#define DOVETAIL_WORK_GROUP_SCOPE                                                                  \
  [[__sycl_detail__::__add_ir_attributes_function__("dovetail-work-group-scope", true)]]
#else
#define DOVETAIL_WORK_GROUP_SCOPE
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

// All work-items enter it, and a pass finds it by its attribute.
template <int Dimensions, typename Kernel>
DOVETAIL_WORK_GROUP_SCOPE void run_group([[maybe_unused]] bool leader, const Kernel &kernel) {
#ifdef __SYCL_DEVICE_ONLY__
  // So that the barrier is in the module.
  ::__dovetail_groupBarrier();
#endif
  // Captures refer to it, so it has to be a variable at work-group scope.
  const Kernel shared(kernel);
  if constexpr (std::is_invocable_v<const Kernel &, const group<Dimensions>>)
    shared(group_access::make<Dimensions>());
  else
    shared(group_access::make<Dimensions>(), kernel_handler_access::make());
}

} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_WORK_GROUP_SCOPE
