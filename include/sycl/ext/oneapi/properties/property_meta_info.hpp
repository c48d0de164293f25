// PropertyMetaInfo: the representation of a compile-time property in the IR.
#pragma once

#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The members of the property itself. If it has none, using it in the IR is an error, rather than
// ignored.
template <typename Property, typename = void> struct own_meta_info {
  static_assert(!std::is_same_v<Property, Property>,
                "this property does not say how it is written into the IR: by meta_name and "
                "meta_value, or by a specialisation of PropertyMetaInfo");
  static constexpr const char *name = "", *value = "";
};
template <typename Property>
struct own_meta_info<Property,
                     std::void_t<decltype(Property::meta_name), decltype(Property::meta_value)>> {
  static constexpr const char *name = Property::meta_name;
  static constexpr auto value = Property::meta_value;
};

// `name`, the key in the IR, and `value`: a number, a character, a bool, an enumerator, a
// `const char *`, or nullptr for none. A program may specialize this, as it does for DPC++.
template <typename Property> struct PropertyMetaInfo : own_meta_info<Property> {};

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
