// property_value: a compile-time property together with its values, which are types.
#pragma once

#include <sycl/ext/oneapi/properties/property.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

template <typename Value, typename = void> struct constant_of {};
template <typename Value> struct constant_of<Value, std::void_t<decltype(Value::value)>> {
  static constexpr auto value = Value::value;
};

template <typename... Values> struct value_of {};
template <typename Value> struct value_of<Value> : constant_of<Value> {
  using value_t = Value;
};

// The common base of property_value and its specializations.
template <typename Key, typename... Values>
struct property_value_base : compile_time_property, value_of<Values...> {
  using key_t = Key;
};

} // namespace detail

template <typename Key, typename... Values>
struct property_value : detail::property_value_base<Key, Values...> {};

template <typename Key, typename... Left, typename... Right>
constexpr bool operator==(const property_value<Key, Left...> &,
                          const property_value<Key, Right...> &) {
  return std::is_same_v<property_value<Key, Left...>, property_value<Key, Right...>>;
}

template <typename Key, typename... Left, typename... Right>
constexpr bool operator!=(const property_value<Key, Left...> &left,
                          const property_value<Key, Right...> &right) {
  return !(left == right);
}
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
