// any_device_has, all_devices_have: the aspects of the devices that a program is built for.
//
// The compiler says so in two lists of aspects' numbers:
//
//   __SYCL_ALL_DEVICES_HAVE__  what every target has
//   __SYCL_NO_DEVICE_HAS__     what every target is known to lack
//
// An empty list need not be defined. Without a list of targets, neither is defined: the program is
// compiled for any device, so nothing is known about its aspects.
//
// No precompiled header includes this file.
#pragma once

#include <sycl/aspects.hpp>

#include <type_traits>

#ifndef __SYCL_ALL_DEVICES_HAVE__
#define __SYCL_ALL_DEVICES_HAVE__
#endif
#ifndef __SYCL_NO_DEVICE_HAS__
#define __SYCL_NO_DEVICE_HAS__
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

template <int... Listed> constexpr bool is_listed([[maybe_unused]] aspect asked) {
  return ((static_cast<int>(asked) == Listed) || ...);
}

constexpr bool is_aspect(aspect asked) {
  return static_cast<int>(asked) >= 0 && static_cast<int>(asked) < aspect_count;
}

} // namespace detail

template <aspect Aspect>
struct all_devices_have : std::bool_constant<detail::is_listed<__SYCL_ALL_DEVICES_HAVE__>(Aspect)> {
};

template <aspect Aspect>
struct any_device_has : std::bool_constant<detail::is_aspect(Aspect) &&
                                           !detail::is_listed<__SYCL_NO_DEVICE_HAS__>(Aspect)> {};

template <aspect Aspect> inline constexpr bool all_devices_have_v = all_devices_have<Aspect>::value;
template <aspect Aspect> inline constexpr bool any_device_has_v = any_device_has<Aspect>::value;

} // namespace _V1
} // namespace sycl
