// The properties of a device_global.
#pragma once

#include <cstdint>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/properties/property.hpp>
#include <sycl/ext/oneapi/properties/property_value.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename DataT, typename List = empty_properties_t> class device_global;

// How the host accesses the variable.
enum class host_access_enum : std::uint16_t { read, write, read_write, none };

// When the variable is initialized, on a device that is reprogrammed for each image.
enum class init_mode_enum : std::uint16_t { reprogram, reset };

// Each device image has a separate variable, and at most one image uses it.
struct device_image_scope_key : detail::compile_time_property_key<> {
  using value_t = property_value<device_image_scope_key>;
};

struct host_access_key : detail::compile_time_property_key<> {
  template <host_access_enum Access>
  using value_t = property_value<host_access_key, std::integral_constant<host_access_enum, Access>>;
};

struct init_mode_key : detail::compile_time_property_key<> {
  template <init_mode_enum Trigger>
  using value_t = property_value<init_mode_key, std::integral_constant<init_mode_enum, Trigger>>;
};

// Whether the host accesses the variable through a register of the kernel's control interface.
struct implement_in_csr_key : detail::compile_time_property_key<> {
  template <bool Enable>
  using value_t = property_value<implement_in_csr_key, std::bool_constant<Enable>>;
};

template <>
struct property_value<device_image_scope_key>
    : detail::property_value_base<device_image_scope_key> {
  static constexpr const char *meta_name = "sycl-device-image-scope";
  static constexpr const char *meta_value = "";
};

template <host_access_enum Access>
struct property_value<host_access_key, std::integral_constant<host_access_enum, Access>>
    : detail::property_value_base<host_access_key,
                                  std::integral_constant<host_access_enum, Access>> {
  static constexpr const char *meta_name = "sycl-host-access";
  static constexpr host_access_enum meta_value = Access;
};

template <init_mode_enum Trigger>
struct property_value<init_mode_key, std::integral_constant<init_mode_enum, Trigger>>
    : detail::property_value_base<init_mode_key, std::integral_constant<init_mode_enum, Trigger>> {
  static constexpr const char *meta_name = "sycl-init-mode";
  static constexpr init_mode_enum meta_value = Trigger;
};

template <bool Enable>
struct property_value<implement_in_csr_key, std::bool_constant<Enable>>
    : detail::property_value_base<implement_in_csr_key, std::bool_constant<Enable>> {
  static constexpr const char *meta_name = "sycl-implement-in-csr";
  static constexpr bool meta_value = Enable;
};

inline constexpr device_image_scope_key::value_t device_image_scope;

template <host_access_enum Access> inline constexpr host_access_key::value_t<Access> host_access;
inline constexpr host_access_key::value_t<host_access_enum::read> host_access_read;
inline constexpr host_access_key::value_t<host_access_enum::write> host_access_write;
inline constexpr host_access_key::value_t<host_access_enum::read_write> host_access_read_write;
inline constexpr host_access_key::value_t<host_access_enum::none> host_access_none;

template <init_mode_enum Trigger> inline constexpr init_mode_key::value_t<Trigger> init_mode;
inline constexpr init_mode_key::value_t<init_mode_enum::reprogram> init_mode_reprogram;
inline constexpr init_mode_key::value_t<init_mode_enum::reset> init_mode_reset;

template <bool Enable> inline constexpr implement_in_csr_key::value_t<Enable> implement_in_csr;
inline constexpr implement_in_csr_key::value_t<true> implement_in_csr_on;
inline constexpr implement_in_csr_key::value_t<false> implement_in_csr_off;

template <typename DataT, typename List>
struct is_property_key_of<device_image_scope_key, device_global<DataT, List>> : std::true_type {};
template <typename DataT, typename List>
struct is_property_key_of<host_access_key, device_global<DataT, List>> : std::true_type {};
template <typename DataT, typename List>
struct is_property_key_of<init_mode_key, device_global<DataT, List>> : std::true_type {};
template <typename DataT, typename List>
struct is_property_key_of<implement_in_csr_key, device_global<DataT, List>> : std::true_type {};

} // namespace ext::oneapi::experimental

// The names of the extension's first revision.
namespace ext::oneapi {

struct device_image_scope {
  using value_t = experimental::device_image_scope_key::value_t;
};

struct host_access {
  using access = experimental::host_access_enum;
  template <access Access> using value_t = experimental::host_access_key::value_t<Access>;
};

struct init_mode {
  using trigger = experimental::init_mode_enum;
  template <trigger Trigger> using value_t = experimental::init_mode_key::value_t<Trigger>;
};

struct implement_in_csr {
  template <bool Enable> using value_t = experimental::implement_in_csr_key::value_t<Enable>;
};

inline constexpr device_image_scope::value_t device_image_scope_v;
template <host_access::access Access> inline constexpr host_access::value_t<Access> host_access_v;
template <init_mode::trigger Trigger> inline constexpr init_mode::value_t<Trigger> init_mode_v;
template <bool Enable> inline constexpr implement_in_csr::value_t<Enable> implement_in_csr_v;

} // namespace ext::oneapi
} // namespace _V1
} // namespace sycl
