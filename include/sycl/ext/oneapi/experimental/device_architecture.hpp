// if_architecture_is: calls a function on devices of the listed architectures.
//
//   if_architecture_is<architecture::intel_gpu_pvc>([=] { ... })
//       .else_if_architecture_is<architecture::x86_64, architecture::intel_cpu_spr>([=] { ... })
//       .otherwise([=] { ... });
#pragma once

#include <sycl/detail/device_condition.hpp>
#include <sycl/detail/device_if.hpp>
#include <sycl/ext/oneapi/experimental/architecture.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The rest of a chain; its condition is that all earlier clauses were false.
template <typename Reached> class if_architecture_is_helper {
public:
  template <architecture... Architectures, typename Callable>
  auto else_if_architecture_is(Callable action) {
    using wanted = is_architecture<Architectures...>;
    detail::call_if<and_condition<Reached, wanted>>(action);
    return if_architecture_is_helper<and_condition<Reached, not_condition<wanted>>>{};
  }

  template <typename Callable> void otherwise(Callable action) { detail::call_if<Reached>(action); }
};

// A separate function, so that the error is reported once.
template <bool CanDecide> constexpr bool allows_if_architecture_is() {
  static_assert(CanDecide,
                "The if_architecture_is function may only be used when AOT compiling with "
                "'-fsycl-targets=spir64_x86_64' or '-fsycl-targets=intel_gpu_*'; with "
                "-fsycl-device-if=macros, every target has to be one device");
  return true;
}

} // namespace detail

template <architecture... Architectures, typename Callable>
auto if_architecture_is(Callable action) {
  static_assert(detail::allows_if_architecture_is<detail::can_decide<Callable>>());
  using wanted = detail::is_architecture<Architectures...>;
  detail::call_if<wanted>(action);
  return detail::if_architecture_is_helper<detail::not_condition<wanted>>{};
}

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
