// is_device_copyable: whether a kernel may hold an object of a type, which goes there as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sycl {
inline namespace _V1 {

// Programs may add types of theirs.
template <typename T> struct is_device_copyable : std::is_trivially_copyable<T> {};
template <typename T> inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;

// Classes of the standard library that are as good as their parts.
template <typename T, std::size_t Size>
struct is_device_copyable<std::array<T, Size>> : is_device_copyable<T> {};
template <typename T> struct is_device_copyable<std::array<T, 0>> : std::true_type {};
template <typename T> struct is_device_copyable<std::optional<T>> : is_device_copyable<T> {};
template <typename First, typename Second>
struct is_device_copyable<std::pair<First, Second>>
    : std::bool_constant<is_device_copyable_v<First> && is_device_copyable_v<Second>> {};
template <typename... Types>
struct is_device_copyable<std::tuple<Types...>>
    : std::bool_constant<(is_device_copyable_v<Types> && ...)> {};
template <typename... Types>
struct is_device_copyable<std::variant<Types...>>
    : std::bool_constant<(is_device_copyable_v<Types> && ...)> {};

// What is constant, or may change at any time, is copied all the same.
template <typename T> struct is_device_copyable<const T> : is_device_copyable<T> {};
template <typename T> struct is_device_copyable<volatile T> : is_device_copyable<T> {};
template <typename T> struct is_device_copyable<const volatile T> : is_device_copyable<T> {};

} // namespace _V1
} // namespace sycl
