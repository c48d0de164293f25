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
