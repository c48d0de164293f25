// property_value: a compile-time property together with its values, which are types.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename Key, typename... Values> struct property_value {
  using key_t = Key;
};

template <typename Key, typename Value> struct property_value<Key, Value> {
  using key_t = Key;
  using value_t = Value;
  static constexpr auto value = Value::value;
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
