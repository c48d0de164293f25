// property::no_init: the earlier content of an accessor's memory is not needed.
#pragma once

#include <sycl/is_property.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

namespace property {
struct no_init {};
} // namespace property

template <> struct is_property<property::no_init> : std::true_type {};

inline constexpr property::no_init no_init{};

} // namespace _V1
} // namespace sycl
