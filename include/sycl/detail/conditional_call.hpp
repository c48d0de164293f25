// A conditional call: the toolchain or the runtime resolves its condition, so that it is made only
// on some devices.
#pragma once

#include <sycl/detail/device_condition.hpp>
#include <type_traits>

#ifdef __SYCL_DEVICE_ONLY__

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// Passes find it by its attribute. They require that it makes one direct call, and that callers
// pass the condition as constants.
template <typename Callable, typename... Condition>
[[__sycl_detail__::__add_ir_attributes_function__("sycl-call-if-on-device-conditionally", true)]]
void call_if_on_device_conditionally(Callable action, Condition...) {
  action();
}

// Discards the result of the action, since there is none if the call is not made.
template <typename Callable> struct without_result {
  Callable &action;
  void operator()() { static_cast<void>(action()); }
};

template <typename Callable, int... Numbers>
void call_on_device_if(Callable &action, condition<Numbers...>) {
  if constexpr (!std::is_class_v<Callable>) {
    detail::call_if_on_device_conditionally(action, Numbers...);
  } else if constexpr (std::is_void_v<decltype(action())>) {
    // By reference, since conditions that macros resolve do not copy the object either.
    detail::call_if_on_device_conditionally<Callable &>(action, Numbers...);
  } else {
    without_result<Callable> called{action};
    detail::call_if_on_device_conditionally<without_result<Callable> &>(called, Numbers...);
  }
}

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

#endif
