// is_device_copyable: whether objects of a type can be copied to devices as bytes.
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

// Programs may specialize it for their types.
template <typename DataT> struct is_device_copyable : std::is_trivially_copyable<DataT> {};
template <typename DataT>
inline constexpr bool is_device_copyable_v = is_device_copyable<DataT>::value;

// Standard classes that are device copyable if their elements are.
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

// const and volatile do not matter.
template <typename DataT> struct is_device_copyable<const DataT> : is_device_copyable<DataT> {};
template <typename DataT> struct is_device_copyable<volatile DataT> : is_device_copyable<DataT> {};
template <typename DataT>
struct is_device_copyable<const volatile DataT> : is_device_copyable<DataT> {};

} // namespace _V1
} // namespace sycl
