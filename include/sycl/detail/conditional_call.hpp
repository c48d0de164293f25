// A call that is made on some devices alone, and left to the toolchain: which devices these are,
// says a condition.
#pragma once

#include <sycl/detail/device_condition.hpp>
#include <type_traits>

#ifdef __SYCL_DEVICE_ONLY__

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// Passes find it by its attribute. They count on its one call, which is direct, and on the numbers
// of the condition, which are constants wherever it is called.
template <typename Callable, typename... Condition>
[[__sycl_detail__::__add_ir_attributes_function__("sycl-call-if-on-device-conditionally", true)]]
void call_if_on_device_conditionally(Callable action, Condition...) {
  action();
}

// A call that may not be made gives nothing, and what an object gives may need a destructor.
template <typename Callable> struct without_result {
  Callable &action;
  void operator()() { static_cast<void>(action()); }
};

template <typename Callable, int... Numbers>
void call_on_device_if(Callable &action, condition<Numbers...>) {
  if constexpr (!std::is_class_v<Callable>) {
    detail::call_if_on_device_conditionally(action, Numbers...);
  } else if constexpr (std::is_void_v<decltype(action())>) {
    // The object itself: a copy would be one more than where macros decide.
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
