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

#if defined(__SYCL_DEVICE_ONLY__) && !defined(__SYCL_DEVICE_IF_MACROS__)

template <typename Condition> struct decidable {
  using type = Condition;
};

template <typename Condition, typename Callable> void call_if(Callable &action) {
  detail::call_on_device_if(action, Condition{});
}

#else

#ifdef __SYCL_DEVICE_ONLY__
inline constexpr bool can_decide = compiled_target::is_one_architecture;
#else
inline constexpr bool can_decide = true;
#endif

// Only who uses it is told.
template <typename Condition> struct decidable {
  static_assert(can_decide || sizeof(Condition) == 0,
                "with -fsycl-device-if=macros, if_architecture_is and if_device_has need device "
                "code that is compiled for one architecture: every target in -fsycl-targets has to "
                "be a GPU or a CPU by its name");
  using type = Condition;
};

template <typename Condition, typename Callable> void call_if(Callable &action) {
  if constexpr (holds_for<compiled_target>(Condition{}))
    action();
}

#endif

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
