// The conditions of if_device_has and if_architecture_is, as types.
//
// A condition is a tree, encoded as a sequence of integers in prefix order:
//
//   condition_aspect, number        true if the device has the aspect of that number
//   condition_architecture, number  true if the device is of the architecture of that number
//   condition_not, one              one: another condition
//   condition_and, one, two
//   condition_or, one, two
//
// These numbers are stored in compiled programs, so they are an ABI. They are negative so that a
// reader can distinguish them from the numbers of aspects and architectures.
#pragma once

#include <sycl/aspects.hpp>
#include <sycl/ext/oneapi/experimental/architecture.hpp>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

inline constexpr int condition_aspect = -1;
inline constexpr int condition_architecture = -2;
inline constexpr int condition_not = -3;
inline constexpr int condition_and = -4;
inline constexpr int condition_or = -5;

template <int... Numbers> struct condition {};

template <int... Numbers>
constexpr condition<condition_not, Numbers...> negate(condition<Numbers...>) {
  return {};
}

template <int... Lefts, int... Rights>
constexpr condition<condition_and, Lefts..., Rights...> both(condition<Lefts...>,
                                                             condition<Rights...>) {
  return {};
}

template <int... Lefts, int... Rights>
constexpr condition<condition_or, Lefts..., Rights...> either(condition<Lefts...>,
                                                              condition<Rights...>) {
  return {};
}

template <aspect First, aspect... Others> constexpr auto every_aspect() {
  using first = condition<condition_aspect, static_cast<int>(First)>;
  if constexpr (sizeof...(Others) == 0)
    return first{};
  else
    return both(first{}, every_aspect<Others...>());
}

template <architecture First, architecture... Others> constexpr auto any_architecture() {
  static_assert(First != architecture::unknown,
                "architecture::unknown cannot be used in a condition");
  using first = condition<condition_architecture, static_cast<int>(First)>;
  if constexpr (sizeof...(Others) == 0)
    return first{};
  else
    return either(first{}, any_architecture<Others...>());
}

template <typename Condition> using not_condition = decltype(negate(Condition{}));

template <typename Left, typename Right> using and_condition = decltype(both(Left{}, Right{}));

// The condition for a list of aspects or architectures, which must not be empty.
template <aspect... Aspects> using has_aspects = decltype(every_aspect<Aspects...>());
template <architecture... Architectures>
using is_architecture = decltype(any_architecture<Architectures...>());

// Evaluates a condition for a device whose features are all known: a class with a static function
// has_aspect and a constant architecture.
template <typename Device> struct condition_reader {
  const int *next;

  constexpr bool read() {
    switch (*next++) {
    case condition_aspect:
      return Device::has_aspect(*next++);
    case condition_architecture:
      return Device::architecture == *next++;
    case condition_not:
      return !read();
    case condition_and: {
      bool left = read(), right = read();
      return left && right;
    }
    default: {
      bool left = read(), right = read();
      return left || right;
    }
    }
  }
};

template <typename Device, int... Numbers> constexpr bool holds_for(condition<Numbers...>) {
  constexpr int numbers[] = {Numbers...};
  return condition_reader<Device>{numbers}.read();
}

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
