// PropertyMetaInfo: how a compile-time property is written into the IR.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// The key in the IR, and its value: a number, a character, a bool, an enumerator, a `const char *`,
// or nullptr for none. A property says them itself, as `meta_name` and `meta_value`; or a program
// specialises this, as it does for DPC++. One that does neither is an error where the IR would need
// it, and not silently lost.
template <typename Property> struct PropertyMetaInfo {
  static constexpr const char *name = Property::meta_name;
  static constexpr auto value = Property::meta_value;
};

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
