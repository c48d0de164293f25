// if_device_has: calls a function on devices that have all of some aspects.
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

// The rest of a chain; the condition is that no clause before was true.
template <typename Reached> class if_device_has_helper {
public:
  template <aspect... Aspects, typename Callable> auto else_if_device_has(Callable action) {
    using wanted = has_aspects<Aspects...>;
    detail::call_if<and_condition<Reached, wanted>>(action);
    return if_device_has_helper<and_condition<Reached, not_condition<wanted>>>{};
  }

  template <typename Callable> void otherwise(Callable action) { detail::call_if<Reached>(action); }
};

} // namespace detail

template <aspect... Aspects, typename Callable> auto if_device_has(Callable action) {
  static_assert(detail::is_compiled_for_one_target<Callable>,
                "with -fsycl-device-if=macros, if_device_has needs every target to be a device by "
                "its name, such as -fsycl-targets=intel_gpu_pvc,x86_64; without that option, it "
                "needs nothing");
  using wanted = detail::has_aspects<Aspects...>;
  detail::call_if<wanted>(action);
  return detail::if_device_has_helper<detail::not_condition<wanted>>{};
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
