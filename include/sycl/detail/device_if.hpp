// How if_device_has and if_architecture_is make a call under a condition.
//
// Device code leaves the call to the toolchain. With __SYCL_DEVICE_IF_MACROS__ it is compiled for
// one target at a time, and calls are made or left out as the compiler reads them. The host is not
// a device: no aspect and no architecture is there, so that of each chain `otherwise` is called.
//
// No header that is kept precompiled includes this one.
#pragma once

#include <sycl/detail/compiled_target.hpp>
#include <sycl/detail/conditional_call.hpp>
#include <sycl/detail/device_condition.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

#if defined(__SYCL_DEVICE_ONLY__) && !defined(__SYCL_DEVICE_IF_MACROS__)

template <typename Condition, typename Callable> void call_if(Callable &action) {
  detail::call_on_device_if(action, Condition{});
}

#else

// Depends on a template's parameter, so that only who uses it is told.
template <typename Condition> constexpr bool can_be_decided() {
#ifdef __SYCL_DEVICE_ONLY__
  return compiled_target::is_one_architecture;
#else
  return true;
#endif
}

template <typename Condition, typename Callable> void call_if(Callable &action) {
  static_assert(can_be_decided<Condition>(),
                "with -fsycl-device-if=macros, if_architecture_is and if_device_has need device "
                "code that is compiled for one architecture: every target in -fsycl-targets has to "
                "be a GPU or a CPU by its name");
  if constexpr (holds_for<compiled_target>(Condition{}))
    action();
}

#endif

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
