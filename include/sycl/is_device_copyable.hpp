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
template <typename DataT> struct is_device_copyable : std::is_trivially_copyable<DataT> {};
template <typename DataT>
inline constexpr bool is_device_copyable_v = is_device_copyable<DataT>::value;

// Classes of the standard library that are as good as their parts.
template <typename DataT, std::size_t Size>
struct is_device_copyable<std::array<DataT, Size>> : is_device_copyable<DataT> {};
template <typename DataT> struct is_device_copyable<std::array<DataT, 0>> : std::true_type {};
template <typename DataT>
struct is_device_copyable<std::optional<DataT>> : is_device_copyable<DataT> {};
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
template <typename DataT> struct is_device_copyable<const DataT> : is_device_copyable<DataT> {};
template <typename DataT> struct is_device_copyable<volatile DataT> : is_device_copyable<DataT> {};
template <typename DataT>
struct is_device_copyable<const volatile DataT> : is_device_copyable<DataT> {};

} // namespace _V1
} // namespace sycl
