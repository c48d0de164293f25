// if_device_has: calls a function on devices that have all listed aspects.
//
//   if_device_has<aspect::fp64>([=] { ... })
//       .else_if_device_has<aspect::fp16, aspect::atomic64>([=] { ... })
//       .otherwise([=] { ... });
#pragma once

#include <sycl/aspects.hpp>
#include <sycl/detail/device_condition.hpp>
#include <sycl/detail/device_if.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The rest of a chain; its condition is that all earlier clauses were false.
template <typename Reached> class if_device_has_helper {
public:
  template <aspect... Aspects, typename Callable> auto else_if_device_has(Callable action) {
    using wanted = has_aspects<Aspects...>;
    detail::call_if<and_condition<Reached, wanted>>(action);
    return if_device_has_helper<and_condition<Reached, not_condition<wanted>>>{};
  }

  template <typename Callable> void otherwise(Callable action) { detail::call_if<Reached>(action); }
};

// A separate function, so that the error is reported once.
template <bool CanDecide> constexpr bool allows_if_device_has() {
  static_assert(CanDecide, "The if_device_has function may only be used when AOT compiling with "
                           "'-fsycl-targets=spir64_x86_64' or '-fsycl-targets=intel_gpu_*'; with "
                           "-fsycl-device-if=macros, every target has to be one device");
  return true;
}

} // namespace detail

template <aspect... Aspects, typename Callable> auto if_device_has(Callable action) {
  static_assert(detail::allows_if_device_has<detail::can_decide<Callable>>());
  using wanted = detail::has_aspects<Aspects...>;
  detail::call_if<wanted>(action);
  return detail::if_device_has_helper<detail::not_condition<wanted>>{};
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
