// PropertyMetaInfo: how a compile-time property is written into the IR.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

// A specialisation has
//   static constexpr const char *name;   the key in the IR
//   static constexpr ... value;          an integer, a `const char *`, or nullptr for none
// The primary template has no definition, so that a property that says nothing about the IR is an
// error where it is used and not silently lost. The name is DPC++'s, so that a property defined in
// a program works with both.
template <typename Property> struct PropertyMetaInfo;

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
