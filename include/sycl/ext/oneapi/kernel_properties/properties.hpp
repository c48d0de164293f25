// The properties of kernels: what a kernel requires, in place of attributes.
//
//   q.parallel_for(range, properties{sub_group_size<16>}, [=](sycl::item<1> it) { ... });
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sycl/aspects.hpp>
#include <sycl/detail/number_text.hpp>
#include <sycl/ext/oneapi/properties/property.hpp>
#include <sycl/ext/oneapi/properties/property_value.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

class kernel;

namespace ext::oneapi::experimental {

// The parameter of a kernel object's member `get`, which returns the kernel's properties.
struct properties_tag {};

struct sub_group_size_key : detail::compile_time_property_key<> {
  template <std::uint32_t Size>
  using value_t = property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>;
};

struct work_group_size_key : detail::compile_time_property_key<> {
  template <std::size_t... Sizes>
  using value_t =
      property_value<work_group_size_key, std::integral_constant<std::size_t, Sizes>...>;
};

struct work_group_size_hint_key : detail::compile_time_property_key<> {
  template <std::size_t... Sizes>
  using value_t =
      property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Sizes>...>;
};

struct device_has_key : detail::compile_time_property_key<> {
  template <aspect... Aspects>
  using value_t = property_value<device_has_key, std::integral_constant<aspect, Aspects>...>;
};

namespace detail {

// The sizes of a work-group, as SYCL counts dimensions.
template <typename Key, std::size_t... Sizes>
struct size_property : property_value_base<Key, std::integral_constant<std::size_t, Sizes>...> {
  static_assert(sizeof...(Sizes) >= 1 && sizeof...(Sizes) <= 3, "SYCL has one to three dimensions");
  static_assert(((Sizes > 0) && ...), "a work-group has a size in each dimension");
  static constexpr const char *meta_value = sycl::detail::number_text<Sizes...>::value;

  constexpr std::size_t operator[](int dimension) const {
    std::size_t sizes[] = {Sizes...};
    return sizes[dimension];
  }
};

} // namespace detail

template <std::uint32_t Size>
struct property_value<sub_group_size_key, std::integral_constant<std::uint32_t, Size>>
    : detail::property_value_base<sub_group_size_key, std::integral_constant<std::uint32_t, Size>> {
  static_assert(Size > 0, "a sub-group has a size");
  static constexpr const char *meta_name = "sycl-sub-group-size";
  static constexpr std::uint32_t meta_value = Size;
};

template <std::size_t... Sizes>
struct property_value<work_group_size_key, std::integral_constant<std::size_t, Sizes>...>
    : detail::size_property<work_group_size_key, Sizes...> {
  static constexpr const char *meta_name = "sycl-work-group-size";
};

template <std::size_t... Sizes>
struct property_value<work_group_size_hint_key, std::integral_constant<std::size_t, Sizes>...>
    : detail::size_property<work_group_size_hint_key, Sizes...> {
  static constexpr const char *meta_name = "sycl-work-group-size-hint";
};

template <aspect... Aspects>
struct property_value<device_has_key, std::integral_constant<aspect, Aspects>...>
    : detail::property_value_base<device_has_key, std::integral_constant<aspect, Aspects>...> {
  static constexpr std::array<aspect, sizeof...(Aspects)> value{Aspects...};
  static constexpr const char *meta_name = "sycl-device-has";
  static constexpr const char *meta_value =
      sycl::detail::number_text<static_cast<unsigned long long>(Aspects)...>::value;
};

template <std::uint32_t Size> inline constexpr sub_group_size_key::value_t<Size> sub_group_size;
template <std::size_t... Sizes>
inline constexpr work_group_size_key::value_t<Sizes...> work_group_size;
template <std::size_t... Sizes>
inline constexpr work_group_size_hint_key::value_t<Sizes...> work_group_size_hint;
template <aspect... Aspects> inline constexpr device_has_key::value_t<Aspects...> device_has;

template <> struct is_property_key_of<sub_group_size_key, kernel> : std::true_type {};
template <> struct is_property_key_of<work_group_size_key, kernel> : std::true_type {};
template <> struct is_property_key_of<work_group_size_hint_key, kernel> : std::true_type {};
template <> struct is_property_key_of<device_has_key, kernel> : std::true_type {};

} // namespace ext::oneapi::experimental

// The names of the extension's first revision.
namespace ext::oneapi {

template <std::uint32_t Size>
inline constexpr experimental::sub_group_size_key::value_t<Size> sub_group_size_v;
template <std::size_t... Sizes>
inline constexpr experimental::work_group_size_key::value_t<Sizes...> work_group_size_v;
template <std::size_t... Sizes>
inline constexpr experimental::work_group_size_hint_key::value_t<Sizes...> work_group_size_hint_v;
template <aspect... Aspects>
inline constexpr experimental::device_has_key::value_t<Aspects...> device_has_v;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
