// How if_device_has and if_architecture_is make a call under a condition.
//
// Device code leaves the call to the toolchain. With __SYCL_DEVICE_IF_MACROS__ it is compiled for
// one target at a time, and calls are made or left out as the compiler reads them. The host is not
// a device: no aspect and no architecture is there, so that of each chain `otherwise` is called.
//
// No header that is kept precompiled includes this one.
#pragma once

#include <sycl/detail/conditional_call.hpp>
#include <sycl/detail/device_condition.hpp>

#if !defined(__SYCL_DEVICE_ONLY__) || defined(__SYCL_DEVICE_IF_MACROS__)
#include <sycl/detail/compiled_target.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// What both functions assert. Only who uses one of them is told, at each use: it depends on the
// callable.
#if defined(__SYCL_DEVICE_ONLY__) && defined(__SYCL_DEVICE_IF_MACROS__)
template <typename Callable>
inline constexpr bool is_compiled_for_one_target = compiled_target::is_one_architecture;
#else
template <typename Callable> inline constexpr bool is_compiled_for_one_target = true;
#endif

#if defined(__SYCL_DEVICE_ONLY__) && !defined(__SYCL_DEVICE_IF_MACROS__)

template <typename Condition, typename Callable> void call_if(Callable &action) {
  detail::call_on_device_if(action, Condition{});
}

#else

template <typename Condition, typename Callable> void call_if(Callable &action) {
  if constexpr (holds_for<compiled_target>(Condition{}))
    action();
}

#endif

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
