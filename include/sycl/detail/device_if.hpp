// How if_device_has and if_architecture_is make a call under a condition.
//
// In device code, the toolchain resolves the condition of the call. With __SYCL_DEVICE_IF_MACROS__,
// code is compiled for one target at a time, and conditions are constant expressions. The host is
// not a device: it has no aspects and no architecture, so it calls `otherwise` of each chain.
//
// No precompiled header includes this file.
#pragma once

#include <sycl/detail/conditional_call.hpp>
#include <sycl/detail/device_condition.hpp>

#if defined(__SYCL_DEVICE_ONLY__) && defined(__SYCL_DEVICE_IF_MACROS__)
#include <sycl/detail/compiled_target.hpp>
#endif

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

#if defined(__SYCL_DEVICE_ONLY__) && !defined(__SYCL_DEVICE_IF_MACROS__)

template <typename Callable> inline constexpr bool can_decide = true;

template <typename Condition, typename Callable> void call_if(Callable &action) {
  detail::call_on_device_if(action, Condition{});
}

#else

#ifdef __SYCL_DEVICE_ONLY__
using deciding_device = compiled_target;
// Depends on the callable so that only a use of one of the functions is an error.
template <typename Callable>
inline constexpr bool can_decide = compiled_target::is_one_architecture;
#else
// The host is not a device, whatever the targets are.
struct deciding_device {
  static constexpr int architecture = -1;
  static constexpr bool has_aspect(int) { return false; }
};
template <typename Callable> inline constexpr bool can_decide = true;
#endif

template <typename Condition, typename Callable> void call_if(Callable &action) {
  if constexpr (holds_for<deciding_device>(Condition{}))
    action();
}

#endif

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
