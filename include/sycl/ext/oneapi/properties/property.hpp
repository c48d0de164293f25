// Traits of properties, and of the classes that accept them.
#pragma once

#include <cstdint>
#include <sycl/is_property.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// DPC++ orders properties by a number of each key. These headers order them by name and ignore the
// number; programs may define it, so that their properties work with both.
enum PropKind : std::uint32_t { PropKindSize };

struct property_key_base {};

// The base of a key whose values are types: known when the program is compiled.
template <PropKind...> struct compile_time_property_key : property_key_base {};

// The base of a property that is its own key and contains its value.
template <typename Property, PropKind...> struct run_time_property_key : property_key_base {
  using key_t = Property;
};

} // namespace detail

template <typename Key>
struct is_property_key
    : std::bool_constant<std::is_base_of_v<detail::property_key_base, Key> || is_property_v<Key>> {
};
template <typename Key> inline constexpr bool is_property_key_v = is_property_key<Key>::value;

// Whether the class accepts the property. Specialized for each pair of a key and a class.
template <typename Key, typename Class> struct is_property_key_of : std::false_type {};
template <typename Key, typename Class>
inline constexpr bool is_property_key_of_v = is_property_key_of<Key, Class>::value;

namespace detail {

// The key of a property: `key_t`, or the type itself.
template <typename Property, typename = void> struct key_of {
  using type = Property;
};
template <typename Property> struct key_of<Property, std::void_t<typename Property::key_t>> {
  using type = typename Property::key_t;
};
template <typename Property> using property_key = typename key_of<Property>::type;

// Whether it is a compile-time property: a property_value, or a class that defines its
// representation in the IR.
struct compile_time_property {};
template <typename Property, typename = void>
struct is_compile_time : std::is_base_of<compile_time_property, Property> {};
template <typename Property>
struct is_compile_time<Property, std::void_t<decltype(Property::meta_name)>> : std::true_type {};

} // namespace detail

// Whether a value can be an element of a property list.
template <typename Property>
struct is_property_value
    : std::bool_constant<detail::is_compile_time<Property>::value || is_property_key_v<Property>> {
};
template <typename Property>
inline constexpr bool is_property_value_v = is_property_value<Property>::value;

template <typename Property, typename Class>
struct is_property_value_of
    : std::bool_constant<is_property_value_v<Property> &&
                         is_property_key_of_v<detail::property_key<Property>, Class>> {};

namespace detail {

// Whether a class accepts a property. Keys that derive from a base above specify their classes;
// other keys are defined by programs, and all classes accept them.
template <typename Property, typename Class>
inline constexpr bool is_taken_by = is_property_key_of_v<property_key<Property>, Class> ||
                                    !std::is_base_of_v<property_key_base, property_key<Property>>;

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
